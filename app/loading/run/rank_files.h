#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/analysis/ranks/run_ranks.h"
#include "core/study/run_study.h"

namespace highwater {

/// Returns the files that the arguments name, each once and in order. An argument is one of these: a file; a
/// folder, which stands for all files in it and its subfolders, eight deep, except hidden ones and links to
/// folders; or, unless there is a file of that name, `@list`, a file with one path per line. Paths in a list
/// are relative to the list's folder; empty lines and lines that begin with # are skipped. Fails with
/// CannotRead, or with LimitExceeded for a list above 64 MiB.
Result<std::vector<std::string>> rankPaths(const std::vector<std::string>& arguments);

/// A file of a run, ready for the merge.
struct ReadRank
{
    RankSummary summary; ///< with the identity from the content or the path
    MainCandidate facts;
};
/// Function that receives each file's rank, or the reason that the file is not a rank. `path` is an index
/// into the paths.
using RankTaker = std::function<void(std::size_t path, Result<ReadRank> rank)>;

/// Reads the ranks of a run and passes them to `receive` in order, on this thread. Summaries are read on up
/// to eight threads. Recordings are read one after the other; each is summarized and then dropped. Fails only
/// with Cancelled. O(bytes).
Result<void> readRanks(
    const std::vector<std::string>& paths, const LoadOptions& load, const RankTaker& receive);

/// Reduces the study of one file of a run to what the merge needs. The study must have a device. O(events).
RankSummary rankSummary(const std::string& path, const RunStudy& study);

/// Classifies a file that could not be read: foreign or damaged.
RankTrouble rankTrouble(const std::string& path, const Error& error);

struct RankFilesOptions
{
    LoadOptions load;
    /// Called for each file that is not a rank, once it is read.
    std::function<void(const std::string& path, const Error& error)> trouble;
};

/// Reads the ranks of a run and merges them. Files that are not ranks become troubles of the result. Fails
/// only with Cancelled. O(bytes).
Result<RunRanks> mergeRankFiles(const std::vector<std::string>& paths, const RankFilesOptions& options);

} // namespace highwater
