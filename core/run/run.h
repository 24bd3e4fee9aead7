#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// One file of a run, and its rank if its content or name shows it.
struct RunMember
{
    std::string path;
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> step; ///< Step at which it was written
    std::optional<std::int64_t> stage; ///< Pipeline stage

    /// Returns the path without its folders.
    std::string fileName() const;
    /// Returns "rank 3", "rank 3, step 20"; the file's name if the rank is unknown.
    std::string label() const;

    bool operator==(const RunMember&) const = default;
};

/// True if `a` comes before `b`: by rank, then by step, then by path. Files without a rank come last; in one
/// rank, files without a step come first.
bool isBefore(const RunMember& a, const RunMember& b);
/// Sorts by `isBefore`.
void sortByRank(std::vector<RunMember>& members);

/// Returns the rank that the content of the file states; nullopt if it states none. Profiler traces state it
/// in `distributedInfo`, which is stored as the producer's "rank". Logs state it as a prefix of their lines,
/// which counts only if all series have the same rank.
std::optional<std::int64_t> rankFromContent(const Trace& trace);

} // namespace highwater
