#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/run_diff.h"
#include "core/analysis/diff/side_names.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

struct WaterfallTexts
{
    std::string before; ///< Describes the earlier moment: "the peak (event 820, step 3, forward)"
    std::string after; ///< Likewise the later moment
    std::string group; ///< The kind of rows: "call site"
    SideNames names = {}; ///< Names of the totals
};

/// One bar of a waterfall, from one total to the next.
struct WaterfallBar
{
    std::string label;
    Bytes begin = 0; ///< Total before the change; 0 for a total
    Bytes end = 0; ///< Total after the change, or the total
    bool isTotal = false; ///< The first and the last bar
    int row = -1; ///< Index in RunDiff::rows; −1 for a total and for a sum of unnamed rows

    bool operator==(const WaterfallBar&) const = default;
};

/// Returns the bars: the total before, the first `most` comparable rows, all others that grew in one bar and
/// those that shrank in another, the rows that cannot be compared (`DiffRow::cut`) likewise, and the total
/// after. `RunDiff::rows` begin with the largest difference. A comparable row that would be the only other
/// one of its sign is named too. Each bar but the totals begins where the previous one ends. Rows without a
/// difference are skipped. O(rows).
std::vector<WaterfallBar> waterfallBars(const RunDiff& diff, std::size_t most, const SideNames& names = {});

/// Draws the bars from the total before to the total after: named rows, and the unnamed ones as sums. A
/// figure without a title names as many rows as fit; one with a title has higher rows, unless a bar of
/// unnamed rows would then be longer than the shortest named one. If all changes are high above 0, the scale
/// does not begin at 0, which a gap in the bars of the totals shows; a figure without a title then has an
/// axis if that takes no room from such names. A figure with a title always has one. The ids of the shapes
/// are indices into RunDiff::rows, −1 for totals and sums. O(rows × bars).
Figure waterfallFigure(const RunDiff& diff, const WaterfallTexts& texts, const FigureOptions& options);

} // namespace highwater
