#pragma once

#include <string>

#include "core/analysis/ranks/run_ranks.h"
#include "core/table/table.h"

/// The merged ranks of a run (`RunRanks`) as tables. Tables with nothing to report have no rows.
namespace highwater {

/// Returns one row per rank, in order of rank: row i is `ranks[i]`. The columns come in the order of the
/// question: out of memory, peak, above the median, then the rest.
Table runRankTable(const RunRanks& run);
/// The facts about the failure of the rank to look at first (`RunRanks::main`); empty texts are unknown.
struct RankDiagnosis
{
    std::string cause;
    std::string next;
};
/// Returns `runRankTable` with cause and what to do after the difference from the median. If the cause of a
/// rank is unknown, it is what the figures of the rank alone say.
Table rankQuestionTable(const RunRanks& run, const RankDiagnosis& main);
/// Returns the groups of ranks that are compared with each other, one row per group.
Table rankGroupTable(const RunRanks& run);
/// Returns the ranks that ran out of memory, in order of failure.
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
