#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/trace/trace.h"

namespace highwater {

/// The distinct files of a run's Python frames.
struct PythonFiles
{
    /// O(functions).
    explicit PythonFiles(const Trace& trace);

    NumberMap<std::uint32_t, std::size_t> places; ///< in `paths`, by string id
    std::vector<std::string> paths; ///< as in the trace
};

/// The doings of a file in one run, in numbers that a file of another run has as well if it does the same. No
/// number depends on the names of files that only one run has, on lines, or on torch and the standard
/// library.
struct FileContents
{
    std::string path;
    std::vector<std::uint64_t> functions; ///< a number for each name, ascending
    /// A number for each way in which its outermost frame calls what then allocates: functions and their
    /// files, in order. Ascending.
    std::vector<std::uint64_t> calls;
    /// A number for each such way and a size of allocations, ascending, and how many there are of it.
    std::vector<std::pair<std::uint64_t, std::int64_t>> allocations;
    /// Stacks have code of it that is outside of functions: it was run, or is a notebook's cell.
    bool isScript = false;
};

using ContentsOfRuns = std::pair<std::vector<FileContents>, std::vector<FileContents>>;

/// The files of two runs, in the order of `PythonFiles::paths`. Functions are read of the files whose
/// portable path only one run has; calls and allocations of those that are the user's own (outside of torch,
/// the standard library and installed packages), if both runs have such a file. O(functions); then also
/// O(events + frames of the stacks that call these files, each stack once).
ContentsOfRuns contentsOfFiles(
    const Trace& before, const PythonFiles& beforeFiles, const Trace& after, const PythonFiles& afterFiles);

} // namespace highwater
