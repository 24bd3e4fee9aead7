#pragma once

#include <string>

#include "core/analysis/ranks/run_ranks.h"
#include "core/table/table.h"

/// The merged ranks of a run (`RunRanks`) as tables. Tables with nothing to report have no rows.
namespace highwater {

/// Returns one row per rank, in order of rank: row i is `ranks[i]`. The columns come in the order of the
/// question: peak, the request that failed and its line, above the median, then the rest.
Table runRankTable(const RunRanks& run);
/// Returns the groups of ranks that are compared with each other, one row per group; no rows for one group.
Table rankGroupTable(const RunRanks& run);
/// Returns the ranks that ran out of memory, in order of failure; no rows for one rank.
Table rankFailureTable(const RunRanks& run);
/// Returns the ranks that leak: they keep more after every step.
Table rankLeakTable(const RunRanks& run);
/// Returns the settings that differ, one row per value.
Table rankSettingTable(const RunRanks& run);
/// Returns files that are not a rank, and ranks without a file.
Table rankTroubleTable(const RunRanks& run);

/// Returns all ranks, the most important first: those that ran out of memory, in order of failure, then the
/// others, largest peak first.
std::vector<std::size_t> ranksByImportance(const RunRanks& run);

} // namespace highwater
