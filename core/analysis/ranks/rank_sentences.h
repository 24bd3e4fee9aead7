#pragma once

#include <string>
#include <vector>

#include "core/analysis/ranks/rank_table.h"

namespace highwater {

/// Returns "rank 3", or the file's name if the rank is not known.
std::string rankName(const RankTable& table, const RankRow& row);

/// Describes the table in full sentences: which ranks ran out of memory; outliers, or that the ranks agree;
/// which files cannot be read, are not compared or are missing.
std::vector<std::string> rankSentences(const RankTable& table);

} // namespace highwater
