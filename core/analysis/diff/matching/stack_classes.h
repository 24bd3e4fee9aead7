#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/diff/matching/file_classes.h"
#include "core/base/packed_column.h"
#include "core/trace/trace.h"

namespace highwater {

/// Numbers for the frames and stacks of two runs: the same number means the same place in the program. Lines
/// may have moved, the project may be in another folder, and its files may have other names.
struct StackClasses
{
    static constexpr std::uint32_t kNotCode = 0xffffffff;
    using Numbers = PackedColumn<std::uint32_t>;

    /// Of one run, by id of the frame or stack.
    struct Side
    {
        Numbers file; ///< of a frame's file; files of Python frames only
        Numbers function; ///< of a frame: function and file
        Numbers place; ///< of a frame: function, file and line
        Numbers stack; ///< of a stack: its places, C++ frames by function
        /// Of a frame: its place if it is the user's own Python frame, its autograd node if it is C++;
        /// kNotCode: a frame of torch or the standard library, or another C++ frame.
        Numbers code;
        /// As `place` and `stack`, but with the run's own line numbers: equal in both runs where no line has
        /// moved, and what the line calls is not all different. Empty where they are the same.
        Numbers ownPlace;
        Numbers ownStack;

        const Numbers& ownPlaces() const { return ownPlace.empty() ? place : ownPlace; }
        const Numbers& ownStacks() const { return ownStack.empty() ? stack : ownStack; }
    };
    Side before;
    Side after;
    std::vector<TakenFile> taken; ///< files of the user's that count as one although their paths differ
};

/// O(frames + stacks), plus `contentsOfFiles`, `matchFiles` and `matchLines`.
StackClasses matchStacks(const Trace& before, const Trace& after);

} // namespace highwater
