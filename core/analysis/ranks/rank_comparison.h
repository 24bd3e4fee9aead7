#pragma once

#include <memory>
#include <vector>

#include "core/analysis/ranks/rank_table.h"

namespace highwater {

/// Compares the ranks. An outlier is further from the median than three and a half robust standard deviations
/// (1.4826 times the median absolute deviation; Iglewicz and Hoaglin, "How to Detect and Handle Outliers",
/// 1993) and than 2 % of the median: ranks are so similar that otherwise a few bytes would make an outlier.
/// Needs at least three ranks. O(files × log files + call sites).
RankTable compareRanks(std::vector<std::shared_ptr<const RankFile>> files);

} // namespace highwater
