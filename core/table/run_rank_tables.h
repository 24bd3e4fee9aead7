#pragma once

#include "core/analysis/ranks/run_ranks.h"
#include "core/table/table.h"

/// The merged ranks of a run (`RunRanks`) as tables. Those with nothing to say have no rows.
namespace highwater {

/// One row a rank, in order of rank: row i is `ranks[i]`.
Table runRankTable(const RunRanks& run);
/// Ranks that are compared with each other: the groups of `RankTable`.
Table rankGroupTable(const RunRanks& run);
/// Who ran out of memory, the first first.
Table rankFailureTable(const RunRanks& run);
/// Ranks that keep more after every step.
Table rankLeakTable(const RunRanks& run);
/// Settings that differ, one row a value.
Table rankSettingTable(const RunRanks& run);
/// Files that are no rank, and ranks without a file.
Table rankTroubleTable(const RunRanks& run);

/// All ranks, those to name first first: who ran out of memory, in the order in which they did, then the
/// largest peaks.
std::vector<std::size_t> ranksToName(const RunRanks& run);

} // namespace highwater
