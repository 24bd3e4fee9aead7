#pragma once

#include "core/analysis/diff/matching/file_contents.h"

namespace highwater {

/// The similarity of two files. All shares are from 0 to 1. Exchanging the files changes nothing.
struct FileLikeness
{
    std::size_t sharedFunctions = 0; ///< number of function names in both files
    std::size_t mostFunctions = 0; ///< number of function names in the file that has more of them
    std::size_t sharedCalls = 0; ///< number of call chains in both files
    double callShare = 0; ///< share of the call chains that are in both files
    double allocationShare = 0; ///< share of all allocations whose call chain and size are in both files
    /// As `allocationShare`, but each combination of call chain and size counts once.
    double combinationShare = 0;
    std::size_t sharedCombinations = 0; ///< number of combinations in both files
    bool areScripts = false; ///< true if both are scripts

    /// Returns 0 if all allocations are the same, up to 1 if none are.
    double difference() const { return 1 - (allocationShare + combinationShare) / 2; }
};

/// Compares two files. O(contents of both).
FileLikeness compareFiles(const FileContents& first, const FileContents& second);

/// True if files with different names are versions of one file. They share a function, three combinations of
/// call chain and size, and either three fifths in both `allocationShare` and `combinationShare`, or half of
/// the allocations, nine tenths of the calls and all functions. None of 36,000 measured pairs of different
/// scripts satisfies this rule.
///
/// Files that are not both scripts must share at least four functions and call chains together: the sizes
/// allocated in a single function depend on its caller, so the `step` of another optimizer allocates the
/// same sizes.
bool areVersions(const FileLikeness& likeness);

} // namespace highwater
