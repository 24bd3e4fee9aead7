#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/trace/trace.h"

namespace highwater {

/// The distinct files of a run's Python frames. A frame without a file has an empty path.
struct PythonFiles
{
    /// Collects the files. O(functions).
    explicit PythonFiles(const Trace& trace);

    NumberMap<std::uint32_t, std::size_t> indexOfFile; ///< index in `paths`, by string id
    std::vector<std::string> paths; ///< as in the trace
};

/// The functions, calls and allocations of a file in one run, as hashes that can be compared with those of
/// another run. No hash depends on line numbers, on the names of files that only one run has, or on frames
/// of C++, torch and the standard library.
struct FileContents
{
    std::string path;
    std::vector<std::uint64_t> functions; ///< a hash for each function name, ascending
    /// A hash for each chain of calls from the file's outermost frame to an allocation: the functions and
    /// their files, in order. Ascending.
    std::vector<std::uint64_t> calls;
    /// A hash for each chain of calls together with an allocation size, ascending, and the number of such
    /// allocations.
    std::vector<std::pair<std::uint64_t, std::int64_t>> allocations;
    /// True if stacks contain code of the file outside functions: the file was run as a script, or is a
    /// notebook cell.
    bool isScript = false;
};

using ContentsOfRuns = std::pair<std::vector<FileContents>, std::vector<FileContents>>;

/// Reads the contents of the files of two runs, in the order of `PythonFiles::paths`.
/// - Functions are read for files whose portable path only one run has.
/// - Calls and allocations are read for those of them that are the user's own (outside torch, the standard
///   library and installed packages), if both runs have such a file.
///
/// O(functions), and for calls and allocations also O(events + frames of the stacks that call these files).
ContentsOfRuns contentsOfFiles(
    const Trace& before, const PythonFiles& beforeFiles, const Trace& after, const PythonFiles& afterFiles);

} // namespace highwater
