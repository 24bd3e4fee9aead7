#pragma once

#include "core/analysis/diff/matching/file_contents.h"

namespace highwater {

/// How much of two files is the same. Exchanging the files changes nothing.
struct FileLikeness
{
    std::size_t functions = 0; ///< names that both have
    std::size_t mostFunctions = 0; ///< of the file that has more of them
    std::size_t sharedCalls = 0;
    double calls = 0; ///< share of the ways to call that both have, 0 to 1
    double allocations = 0; ///< share of all allocations whose calls and size both have, 0 to 1
    double kinds = 0; ///< the same with each kind of calls and size counted once
    std::size_t sharedKinds = 0;
    bool areScripts = false; ///< both

    /// Zero where all allocations are the same, up to 1.
    double difference() const { return 1 - (allocations + kinds) / 2; }
};

/// O(what both contain).
FileLikeness likenessOf(const FileContents& one, const FileContents& other);

/// Files with different names are taken for versions of one file if three fifths of their allocations are the
/// same, each counted and by kind; or half of them, where all functions and nine tenths of their calls are
/// the same. Of 36,000 pairs of different scripts that were measured none is alike by this rule. Files that
/// are no scripts must have several functions or ways to call in common as well: the sizes in a lone function
/// are its caller's, and another optimizer's `step` has the same.
bool areVersions(const FileLikeness& likeness);

} // namespace highwater
