#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_table.h"
#include "core/table/table.h"

namespace highwater {

/// A row of the table of ranks: a device that is compared, or a file without figures.
struct RankEntry
{
    RunMember member;
    std::optional<RankRow> row; ///< none: not read yet
    std::string state; ///< "loaded", "not loaded"
};

/// One for each row of the comparison.
std::vector<RankEntry> rankEntries(const RankTable& ranks);
/// What has become of a file that was read.
std::string rankState(const RankFile& file);

/// The ranks of a run, in the order of the lines. `ranks` must know their rows.
Table rankTable(const RankTable& ranks, const std::vector<RankEntry>& lines);

} // namespace highwater
