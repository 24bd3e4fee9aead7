#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/run_diff.h"
#include "core/analysis/diff/side_names.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

struct WaterfallTexts
{
    std::string before; ///< "before.pickle, event 820, the peak"
    std::string after;
    std::string group; ///< The kind of rows: "call site"
    SideNames names = {}; ///< Names of the totals
};

/// One bar of a waterfall, from one total to the next.
struct WaterfallBar
{
    std::string label;
    Bytes from = 0;
    Bytes to = 0;
    bool isTotal = false; ///< The first and the last bar, which start at 0
    int row = -1; ///< Index in RunDiff::rows; −1 for a total or all other rows

    bool operator==(const WaterfallBar&) const = default;
};

/// Returns the bars: the total before, the rows that differ most (at most `most`, by the size of their
/// difference), all others that grew in one bar and those that shrank in another, the rows that cannot be
/// compared (`DiffRow::cut`) likewise, and the total after. A row that would be the only other one is named
/// too. Each bar begins where the previous one ends. Rows without a difference are skipped. O(rows).
std::vector<WaterfallBar> waterfallBars(const RunDiff& diff, std::size_t most, const SideNames& names = {});

/// Draws the bars from the total before to the total after: increases, decreases, and the rest. A figure
/// without a title names as many rows as fit; one with a title has higher rows, unless a bar of the rest
/// would then be longer than all named ones of its sign. If all changes are high above 0, the scale does not
/// begin at 0, which a gap in the bars of the totals shows. Such a figure has an axis, as has one with a
/// title. The ids of the shapes are indices into RunDiff::rows. O(rows).
Figure waterfallFigure(const RunDiff& diff, const WaterfallTexts& texts, const FigureOptions& options);

} // namespace highwater
