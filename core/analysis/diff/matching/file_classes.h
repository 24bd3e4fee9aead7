#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/diff/matching/file_contents.h"
#include "core/analysis/diff/matching/file_likeness.h"

namespace highwater {

/// Two files of the user's own code with different paths that are compared as one.
struct JoinedFile
{
    std::string before;
    std::string after;
    FileLikeness likeness;

    bool hasNewName() const; ///< true if the file name differs, not just the folder
};

/// The result of matching the files of two runs: files of one class are compared with each other.
struct FileClasses
{
    std::vector<std::uint32_t> before; ///< class number of each file, in the given order
    std::vector<std::uint32_t> after;
    /// The user's own files with different paths, ordered by path in the run after
    std::vector<JoinedFile> joinedFiles;
};

/// Matches files in this order. All files with one portable path are one class; the others are paired one by
/// one:
/// - files with equal portable paths;
/// - files of one name, unless their calls contradict it: first those that share most folders at the end of
///   their paths, as after a project was copied or its folder renamed, then the most similar ones;
/// - files with allocations (the user's own ones) whose contents make them versions of each other
///   (`areVersions`), unless one of them is nearly as similar to another file;
/// - files of one name with different calls but a function in common.
///
/// Exchanging the runs exchanges the result. Costs O(pairs of files of one name × their contents). Beyond
/// about a million such pairs, the files of a name are paired in order of their paths, whatever their calls.
/// Versions are searched for only if at most 4,096 pairs of files remain.
FileClasses matchFiles(const std::vector<FileContents>& before, const std::vector<FileContents>& after);

} // namespace highwater
