#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// One file of a run, with its rank as far as its content or its name shows it.
struct RunMember
{
    std::string path;
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> step; ///< at which it was written
    std::optional<std::int64_t> stage; ///< of a pipeline

    /// The path without its folders.
    std::string fileName() const;
    /// "rank 3", "rank 3, step 20"; the file's name where the rank is not known.
    std::string label() const;

    bool operator==(const RunMember&) const = default;
};

/// Orders by rank, then by step, then by path; files without a rank come last.
bool isBefore(const RunMember& a, const RunMember& b);
void sortByRank(std::vector<RunMember>& members);

/// The rank stated in the content. Memory snapshots state none; profiler traces state it in `distributedInfo`
/// (kept as the producer's "rank"), logs as a prefix of their lines, which counts only if all series have the
/// same rank.
std::optional<std::int64_t> rankFromContent(const Trace& trace);

} // namespace highwater
