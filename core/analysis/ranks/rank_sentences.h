#pragma once

#include <string>
#include <vector>

#include "core/analysis/ranks/rank_table.h"

namespace highwater {

/// "rank 3"; the file's name where the rank is not known.
std::string rankName(const RankTable& table, const RankRow& row);

/// What the table says in words, each a full sentence: where memory ran out; outliers, or that the ranks
/// agree; what cannot be read, is not compared or is missing.
std::vector<std::string> rankSentences(const RankTable& table);

} // namespace highwater
