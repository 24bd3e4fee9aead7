#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"

namespace highwater {

/// Describes the merged ranks in full sentences, the most important first: the first failure, the highest
/// peak, leaking stages, outliers, differing settings, unusable and missing files, and how ranks were
/// detected. Also names other runs among the files. O(ranks).
std::vector<std::string> runRankSentences(const RunRanks& run);

/// Says of files that are no ranks, but whose names are among these logs of the main rank, what they were
/// used for, and words the sentences again.
void tellUsedLogs(RunRanks& run, const std::set<std::string>& logNames);

/// True for the sentence that a single rank ran out of memory, which the diagnosis of that rank says, too.
bool repeatsDiagnosis(const std::string& sentence);

/// True for the sentence on how ranks were recognized: "Ranks are taken from file names."
bool namesDetection(const std::string& sentence);

/// True for a sentence that says only what the table of ranks and its tool tips have.
bool repeatsRankTable(const std::string& sentence);

} // namespace highwater
