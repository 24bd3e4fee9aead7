#pragma once

#include <string>
#include <vector>

#include "core/analysis/ranks/rank_table.h"

namespace highwater {

/// Returns "rank 3"; the label of the file (`RunMember::label`) if its rank is not known or there are several
/// groups. A device other than the file's main one is added: "rank 3 on cuda:1".
std::string rankName(const RankTable& table, const RankRow& row);

/// Describes the table in full sentences: which ranks ran out of memory, or which files record that;
/// outliers, or that the ranks agree; which files cannot be read, are not compared or are missing; and files
/// of unknown rank. O(groups × rows), plus the call sites of the outliers.
std::vector<std::string> rankSentences(const RankTable& table);

} // namespace highwater
