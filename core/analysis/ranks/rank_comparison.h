#pragma once

#include <memory>
#include <vector>

#include "core/analysis/ranks/rank_table.h"

namespace highwater {

/// Groups the ranks and compares the peaks within each group. In groups of at least three, a rank is an
/// outlier if its distance from the median exceeds 3.5 robust standard deviations (1.4826 × the median
/// absolute deviation; Iglewicz and Hoaglin, "How to Detect and Handle Outliers", 1993) and 2 % of the
/// median. Without the second limit a few bytes would make an outlier, since ranks are very similar. O(files
/// × (groups + log files) + call sites of the named outliers).
RankTable compareRanks(std::vector<std::shared_ptr<const RankFile>> files);

} // namespace highwater
