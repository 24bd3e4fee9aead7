#pragma once

#include <vector>

#include "core/analysis/steps/step_table.h"
#include "core/figure/drawing/ticks.h"
#include "core/figure/layout/step_bars.h"

namespace highwater {

/// Returns ticks below the bars of steps, about `wanted` (≥ 1): positions in bars, labels as the steps are
/// numbered in their names, which may begin at any number. A warm-up and a remainder have no tick. `bars` are
/// those of `steps`, and not empty. O(steps + wanted × log bars).
Ticks stepTicks(const std::vector<Step>& steps, const std::vector<StepBar>& bars, int wanted);

} // namespace highwater
