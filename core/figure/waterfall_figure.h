#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/run_diff.h"
#include "core/figure/sheet/figure_sheet.h"

namespace highwater {

/// What a waterfall is of, in words.
struct WaterfallTexts
{
    std::string before; ///< "before.pickle, event 820, the peak"
    std::string after;
    std::string group; ///< what the rows are: "call site"
};

/// One bar of a waterfall, from one total to the next.
struct WaterfallBar
{
    std::string label;
    Bytes from = 0;
    Bytes to = 0;
    bool isTotal = false; ///< the first and the last: from 0
    int row = -1; ///< index in RunDiff::rows; −1: a total, or all the others

    bool operator==(const WaterfallBar&) const = default;
};

/// The total before, the rows that differ most (at most `most`, by the size of their difference), all others
/// in one bar, and the total after. Each bar begins where the one before it ends. Rows without a difference
/// make no bar.
std::vector<WaterfallBar> waterfallBars(const RunDiff& diff, std::size_t most);

/// From the total before to the total after: what went up, what went down, and the rest by name, as many rows
/// as the sheet has room for. The ids of its shapes are indices in RunDiff::rows.
Figure waterfallFigure(const RunDiff& diff, const WaterfallTexts& texts, const FigureOptions& options);

} // namespace highwater
