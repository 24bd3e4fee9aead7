#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"

/// Reduces the summary of a rank to the data that are kept after the summary is released.
namespace highwater {

/// The most entries that are kept for the steps of a rank. If a rank has more steps, neighbours share an
/// entry with their largest total.
inline constexpr std::size_t kMaxStepsOfRank = 1024;
/// The most call sites at its peak that are kept for a rank.
inline constexpr std::size_t kMaxSitesOfRank = 64;

/// Returns the number at the end of a step's name ("ProfilerStep#12"); `position` if there is none.
std::int64_t stepNumber(const SummaryStep& step, std::int64_t position);
/// Returns the counted steps (`Step::isCounted`) as pointers into the summary; none if the whole trace is one
/// step.
std::vector<const SummaryStep*> countedSteps(const RankSummary& summary);
/// Returns the number of the first step and the largest total of each entry, at most `kMaxStepsOfRank`
/// entries.
std::vector<std::pair<std::int64_t, Bytes>> stepPeaks(const std::vector<const SummaryStep*>& steps);
/// Makes the kept data. `counted` must be the result of `countedSteps`.
MergedRank mergedRank(const RankSummary& summary, const std::vector<const SummaryStep*>& counted);
/// Makes the figures of a rank, without an outline; moves the call sites out of the summary.
RankFile takeRankFile(const std::string& path, RankSummary& summary);

} // namespace highwater
