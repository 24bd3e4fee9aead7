#pragma once

#include <vector>

#include "core/analysis/usage/pixel_columns.h"

namespace highwater {

/// Returns, for each pixel column, the largest total from before the first event up to the end of that
/// column. `columns` must come from `pixelColumns`. The result never decreases. Columns without a state at
/// the start of the view have the peak before the event of the column after them. The last value is the peak
/// of the run, unless that is right of the view. O(columns + log events).
std::vector<Bytes> peakSoFar(const UsageCurve& curve, const std::vector<PixelColumn>& columns);

} // namespace highwater
