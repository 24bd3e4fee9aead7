#pragma once

#include <string>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"

namespace highwater {

/// Describes the merged ranks in full sentences, the most important first: which rank ran out of memory
/// first, which has the highest peak and when, which are outliers, which stages leak, which settings differ,
/// which files are missing or cannot be used, and how the ranks of the files are known.
std::vector<std::string> runRankSentences(const RunRanks& run);

} // namespace highwater
