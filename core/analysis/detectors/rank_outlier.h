#pragma once

#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/analysis/ranks/rank_table.h"

namespace highwater {

/// A finding about one of the compared files.
struct RankFinding
{
    RankRow row; ///< which file and device
    Finding finding;
};

/// Rule rank-outlier of grade A: ranks whose peak is an outlier among ranks that should be alike
/// (`compareRanks`); above it a fault, below it a fact. Bytes: the distance from the median. Not in the table
/// of detectors, which look at one device of one file. Wrong for stages of a pipeline whose file names do not
/// tell the stage. O(rows × call sites).
std::vector<RankFinding> findRankOutliers(const RankTable& ranks);

/// Whether a finding is one of these: its events and sites are of that rank's file.
bool isRankOutlier(const Finding& finding);

} // namespace highwater
