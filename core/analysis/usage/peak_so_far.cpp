#include "core/analysis/usage/peak_so_far.h"

#include <algorithm>

namespace highwater {

std::vector<Bytes> peakSoFar(const UsageCurve& curve, const std::vector<PixelColumn>& columns)
{
    std::vector<Bytes> highest;
    highest.reserve(columns.size());
    if (columns.empty())
        return highest;
    // A column's event has the largest total in the column, so its other events do not matter.
    Bytes soFar = curve.peak(-1, columns.front().event + 1).bytes;
    for (const PixelColumn& column : columns) {
        soFar = std::max(soFar, column.bytes);
        highest.push_back(soFar);
    }
    return highest;
}

} // namespace highwater
