#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/diff/matching/file_contents.h"
#include "core/analysis/diff/matching/file_likeness.h"

namespace highwater {

/// Two files of different paths that are taken for one.
struct TakenFile
{
    std::string before;
    std::string after;
    FileLikeness likeness;

    bool hasNewName() const; ///< not only another folder
};

/// Which files of two runs are the same file.
struct FileClasses
{
    std::vector<std::uint32_t> before; ///< number of the class of each file, in the order given
    std::vector<std::uint32_t> after;
    std::vector<TakenFile> taken; ///< the user's own files, by path in the run after
};

/// Pairs files one by one. Files with equal portable paths are the same. Then those of one name, unless what
/// they call contradicts it: longest common path suffix first, as after a project was copied or its folder
/// renamed, then those that are most alike. Then the user's own files that are versions of each other by
/// their contents (`areVersions`), if neither is nearly as much like another file. Then files of one name
/// that call different things, but have a function in common. Exchanging the runs exchanges the result.
/// O(files × files of one name × contents) for up to a million such pairs; names beyond that are paired in
/// order of their paths. Versions are searched for among up to 4,096 pairs of files.
FileClasses matchFiles(const std::vector<FileContents>& before, const std::vector<FileContents>& after);

} // namespace highwater
