#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/diff/matching/file_classes.h"
#include "core/base/packed_column.h"
#include "core/trace/trace.h"

namespace highwater {

/// Numbers for the frames and stacks of two runs: equal numbers mean the same place in the program. The match
/// allows for moved lines, and for other folders and names of the project and its files.
struct StackClasses
{
    static constexpr std::uint32_t kNotCode = 0xffffffff;
    using Numbers = PackedColumn<std::uint32_t>;

    /// The numbers of one run, by id of the frame or stack.
    struct Side
    {
        Numbers file; ///< by frame: its file; one number for all C++ frames
        Numbers function; ///< by frame: its function and file
        Numbers place; ///< by frame: its function, file and line
        Numbers stack; ///< by stack: its places, with C++ frames by function
        /// The place of each frame of the user's own Python code, the autograd node of each C++ frame that
        /// has one; kNotCode for frames of torch or the standard library, and for other C++ frames.
        Numbers code;
        /// The same as `place` and `stack`, but by the run's own line numbers. A place then has equal
        /// numbers in both runs if its line has the same number in both, and is not evidently other code.
        /// Empty if they equal `place` and `stack`, as always in the run before.
        Numbers ownPlace;
        Numbers ownStack;

        const Numbers& ownPlaces() const { return ownPlace.empty() ? place : ownPlace; }
        const Numbers& ownStacks() const { return ownStack.empty() ? stack : ownStack; }
    };
    Side before;
    Side after;
    std::vector<JoinedFile> joinedFiles; ///< the user's files that count as one although their paths differ
};

/// Matches the stacks of two runs. O(frames + stacks), plus `contentsOfFiles`, `matchFiles` and `matchLines`.
StackClasses matchStacks(const Trace& before, const Trace& after);

} // namespace highwater
