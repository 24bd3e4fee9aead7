#pragma once

#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/analysis/ranks/rank_table.h"

namespace highwater {

/// A finding about one of the compared files.
struct RankFinding
{
    RankRow row; ///< the file and device
    Finding finding;
};

/// Rule rank-outlier, grade A: ranks whose peak is an outlier among ranks that should be alike
/// (`compareRanks`). A peak above the others is a fault, one below them a fact. Bytes: the distance from the
/// median. Not in the rule table's detectors, because those see only one device of one file. Wrong for
/// pipeline stages whose file names do not name the stage. O(rows × call sites).
std::vector<RankFinding> findRankOutliers(const RankTable& ranks);

/// True if the finding comes from `findRankOutliers`; its events and sites then refer to that rank's file.
bool isRankOutlier(const Finding& finding);

} // namespace highwater
