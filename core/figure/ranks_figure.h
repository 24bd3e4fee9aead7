#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// One rank of a figure of ranks.
struct RankBar
{
    std::string name; ///< "rank 3"
    std::optional<Bytes> peak = {}; ///< none: not known
    std::optional<Bytes> median = {}; ///< of the ranks that it is compared with
    bool outlier = false;
    bool outOfMemory = false;
    std::string note = {}; ///< in place of a bar: why there is none
    int id = -1;
};

/// One bar for each rank, its length the rank's peak, with a line at the median. Outliers and ranks that ran
/// out of memory are marked. O(bars).
Figure ranksFigure(const std::vector<RankBar>& bars, const FigureOptions& options);

/// Height of an untitled figure in which every row fits.
int ranksHeight(std::size_t bars);

} // namespace highwater
