#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"

/// The data of a rank that is kept when its summary is released.
namespace highwater {

/// Most steps that are kept. Beyond, neighbours are joined and their largest total is kept.
inline constexpr std::size_t kMostStepsOfRank = 1024;
inline constexpr std::size_t kMostSitesOfRank = 64;

/// Returns the number that a step's name ends with ("ProfilerStep#12"), else its place.
std::int64_t stepNumber(const SummaryStep& step, std::int64_t position);
/// Returns the steps that count, as pointers into the summary.
std::vector<const SummaryStep*> countedSteps(const RankSummary& summary);
/// Returns the number and the largest total of each step, at most `kMostStepsOfRank`.
std::vector<std::pair<std::int64_t, Bytes>> stepPeaks(const std::vector<const SummaryStep*>& steps);
/// `counted` are the steps of the summary that count.
MergedRank mergedRank(const RankSummary& summary, const std::vector<const SummaryStep*>& counted);
/// Makes the figures of a rank; moves the call sites out of the summary.
RankFile rankFileOf(const std::string& path, RankSummary& summary);

} // namespace highwater
