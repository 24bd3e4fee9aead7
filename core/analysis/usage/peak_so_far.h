#pragma once

#include <vector>

#include "core/analysis/usage/pixel_columns.h"

namespace highwater {

/// Returns, for each pixel column, the largest total from before the first event up to the end of that
/// column. `columns` must come from `pixelColumns`. The result never decreases. Its last value is the peak of
/// the run, unless that is right of the view. O(columns + log events).
std::vector<Bytes> peakSoFar(const UsageCurve& curve, const std::vector<PixelColumn>& columns);

} // namespace highwater
