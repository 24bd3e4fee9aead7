#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/analysis/ranks/run_ranks.h"
#include "core/study/run_study.h"

namespace highwater {

/// The files that these arguments name, each once, in their order: files; every file of a folder and of the
/// folders in it (hidden ones are left out); `@list`, a file with one path a line, relative to its own folder
/// (blank lines and lines that begin with # are left out). Fails with CannotRead.
Result<std::vector<std::string>> rankPaths(const std::vector<std::string>& arguments);

/// A file of a run as the merge takes it.
struct ReadRank
{
    RankSummary summary; ///< its identity is complete
    MainCandidate facts;
};
/// Takes a file, or why it is no rank.
using RankTaker = std::function<void(std::size_t path, Result<ReadRank> rank)>;

/// Reads the ranks of a run and gives them in their order, on this thread: summaries several at a time, whole
/// recordings one after the other, each of which is summarized and given up. Fails
/// with Cancelled alone. O(bytes).
Result<void> readRanks(const std::vector<std::string>& paths, const LoadOptions& load, const RankTaker& take);

/// The study of one file of a run, reduced to what the merge needs. It must have a device. O(events).
RankSummary rankSummary(const std::string& path, const RunStudy& study);

/// What becomes of a file that could not be read: foreign, or damaged.
RankTrouble rankTrouble(const std::string& path, const Error& error);

struct RankFilesOptions
{
    LoadOptions load;
    /// Called with each file that becomes no rank, once it is read.
    std::function<void(const std::string& path, const Error& error)> trouble;
};

/// Reads the ranks of a run and merges them. Files that are none are troubles of the result. Fails with
/// Cancelled alone. O(bytes).
Result<RunRanks> mergeRankFiles(const std::vector<std::string>& paths, const RankFilesOptions& options);

} // namespace highwater
