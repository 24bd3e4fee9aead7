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

/// Finds ranks whose peak is an outlier among ranks that should be alike (`compareRanks`): rule rank-outlier,
/// grade A. A peak above the others is a fault, a peak below them is a fact. The finding's bytes are the
/// distance from the median.
///
/// This is not a `Detector`, because a detector sees only one device of one file. Wrong for pipeline stages
/// whose file names do not name the stage. O(rows + outliers × (rows + call sites)).
std::vector<RankFinding> findRankOutliers(const RankTable& ranks);

/// True if the finding comes from `findRankOutliers`: its events and call sites then refer to the file of
/// that rank.
bool isRankOutlier(const Finding& finding);

} // namespace highwater
