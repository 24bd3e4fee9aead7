#pragma once

#include <vector>

#include "core/analysis/usage/pixel_columns.h"

namespace highwater {

/// For each pixel column the largest total from the moment before the first event up to the end of that
/// column. `columns` as `pixelColumns` gives them; the result never falls, and where the run's peak is in
/// view or left of it, it ends with the peak. O(columns + log events).
std::vector<Bytes> peakSoFar(const UsageCurve& curve, const std::vector<PixelColumn>& columns);

} // namespace highwater
