#pragma once

#include <vector>

#include "core/analysis/usage/pixel_columns.h"

namespace highwater {

/// Returns, for each pixel column, the largest total from before the first event up to the end of that
/// column. `columns` must come from `pixelColumns`. The result never decreases, and if the run's peak is in
/// view or left of it, it ends with the peak. O(columns + log events).
std::vector<Bytes> peakSoFar(const UsageCurve& curve, const std::vector<PixelColumn>& columns);

} // namespace highwater
