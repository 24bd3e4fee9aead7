#include "core/analysis/usage/peak_so_far.h"

#include <algorithm>

namespace highwater {

std::vector<Bytes> peakSoFar(const UsageCurve& curve, const std::vector<PixelColumn>& columns)
{
    std::vector<Bytes> highest;
    highest.reserve(columns.size());
    const auto first
        = std::ranges::find_if(columns, [](const PixelColumn& column) { return column.event != kNoState; });
    Bytes soFar = first == columns.end() ? 0 : curve.peak(-1, first->event).bytes;
    for (const PixelColumn& column : columns) {
        soFar = std::max(soFar, column.bytes);
        highest.push_back(soFar);
    }
    return highest;
}

} // namespace highwater
