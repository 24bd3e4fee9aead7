#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"

/// What is kept of a rank when its summary is given up.
namespace highwater {

inline constexpr std::size_t kMostStepsOfRank = 1024; ///< neighbours are joined by their largest
inline constexpr std::size_t kMostSitesOfRank = 64;

/// The number that a step's name ends with ("ProfilerStep#12"), else its place.
std::int64_t stepNumber(const SummaryStep& step, std::int64_t place);
/// Points into the summary.
std::vector<const SummaryStep*> countedSteps(const RankSummary& summary);
/// Number and largest total of each, at most `kMostStepsOfRank`.
std::vector<std::pair<std::int64_t, Bytes>> stepPeaks(const std::vector<const SummaryStep*>& steps);
/// `counted`: its steps that count.
MergedRank mergedRank(const RankSummary& summary, const std::vector<const SummaryStep*>& counted);
/// Takes the sites out of the summary.
RankFile rankFileOf(const std::string& path, RankSummary& summary);

} // namespace highwater
