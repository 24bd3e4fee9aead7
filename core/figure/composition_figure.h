#pragma once

#include <string>
#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// One bar of the composition: the bytes of a group, split by category.
struct CompositionBar
{
    std::string label;
    Bytes bytes = 0;
    std::int64_t count = 0;
    CategoryBytes byCategory{}; ///< Adds up to `bytes`
};

/// Returns the composition right after an event, by call site or by category, largest first. With more than
/// `most` groups (≥ 2), the last bar sums up the rest and is named "… others". The bars add up to the total
/// at the event. O(allocations + groups × log groups).
std::vector<CompositionBar> compositionBars(
    const DeviceStudy& study, std::int64_t event, bool byCategory, std::size_t most);

/// Draws the bars of `compositionBars` horizontally, with bytes, share and count.
Figure compositionFigure(
    const DeviceStudy& study, std::int64_t event, bool byCategory, const FigureOptions& options);

} // namespace highwater
