#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// Numbers for the frames and stacks of two runs: the same number stands for the same place in the program.
/// Lines may have moved, and the project may lie in another folder.
struct StackClasses
{
    static constexpr std::uint32_t kNotCode = 0xffffffff;

    /// Of one run, by id of the frame or stack.
    struct Side
    {
        std::vector<std::uint32_t> file; ///< of a frame's file; files of Python frames only
        std::vector<std::uint32_t> function; ///< of a frame: function and file
        std::vector<std::uint32_t> place; ///< of a frame: function, file and line
        std::vector<std::uint32_t> stack; ///< of a stack: its places, C++ frames by function
        /// Of a frame: its place where it is the user's own Python frame, its autograd node where it is C++;
        /// kNotCode: of torch, the standard library or C++.
        std::vector<std::uint32_t> code;
        /// As `place` and `stack`, by the lines that the run itself names: equal in both runs where nothing
        /// has moved.
        std::vector<std::uint32_t> ownPlace;
        std::vector<std::uint32_t> ownStack;
    };
    Side before;
    Side after;
};

/// O(frames + stacks), and what `matchFiles` and `matchLines` take.
StackClasses matchStacks(const Trace& before, const Trace& after);

} // namespace highwater
