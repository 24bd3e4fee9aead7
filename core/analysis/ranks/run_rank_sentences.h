#pragma once

#include <string>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"

namespace highwater {

/// What the merged ranks say, each a full sentence, the most important first: who ran out of memory first,
/// who peaks and when, who stands out, which stages leak, which settings differ, which files are missing or
/// cannot be used, and how it is known who wrote the files.
std::vector<std::string> runRankSentences(const RunRanks& run);

} // namespace highwater
