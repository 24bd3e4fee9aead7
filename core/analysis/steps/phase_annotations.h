#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/steps/phase_table.h"
#include "core/trace/trace.h"

namespace highwater {

/// Events [begin, end) that an annotation puts into one phase.
struct AnnotatedPhase
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Phase phase = Phase::Unknown;
};

/// The phase that an annotation's name stands for, told by its words: "## forward ##",
/// "Optimizer.step#AdamW.step", "rollout". Unknown for most names, for `zero_grad`, and for names of two
/// phases ("forward_backward").
Phase phaseOfAnnotation(std::string_view name);

/// The phases that annotations give, not overlapping, by begin; the innermost that stands for a phase counts.
/// O(spans × log events).
std::vector<AnnotatedPhase> annotatedPhases(const Trace& trace, DeviceIndex device);

} // namespace highwater
