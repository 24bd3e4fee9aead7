#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// By number of the function: what `judge` says of it. O(functions).
template <typename Judge>
auto judgedFunctions(const StackTable& stacks, Judge judge)
{
    std::vector<std::invoke_result_t<Judge, const Frame&>> judged;
    judged.reserve(stacks.functionCount());
    for (std::size_t function = 0; function < stacks.functionCount(); ++function)
        judged.push_back(judge(stacks.function(function)));
    return judged;
}

/// What holds the bits that `Judge` gives a frame: a byte for a yes or no.
template <typename Judge>
using FrameBits = std::conditional_t<std::is_same_v<std::invoke_result_t<Judge, const Frame&>, bool>,
    std::uint8_t, std::invoke_result_t<Judge, const Frame&>>;

/// By index of the stack: the bits of all its frames together. O(stacks).
template <typename Bits, typename BitsOfFrame>
std::vector<Bits> stackBits(const StackTable& stacks, BitsOfFrame bitsOf)
{
    std::vector<Bits> ofStack(stacks.nodeCount());
    // A stack is interned after its caller, so callers come first.
    for (std::size_t node = StackTable::kEmpty.index() + 1; node < ofStack.size(); ++node) {
        const StackId stack(node);
        ofStack[node]
            = static_cast<Bits>(bitsOf(stacks.innermost(stack)) | ofStack[stacks.caller(stack).index()]);
    }
    return ofStack;
}

/// The same of what functions and files say. `bitsOf` is asked once for each function.
template <typename BitsOf>
std::vector<FrameBits<BitsOf>> stackBitsByFunction(const StackTable& stacks, BitsOf bitsOf)
{
    using Bits = FrameBits<BitsOf>;
    const auto bits
        = judgedFunctions(stacks, [&](const Frame& frame) { return static_cast<Bits>(bitsOf(frame)); });
    return stackBits<Bits>(stacks, [&](FrameId frame) { return bits[stacks.functionOf(frame)]; });
}

/// The same of what functions, files and lines say. `bitsOf` is asked once for each frame.
template <typename BitsOf>
std::vector<FrameBits<BitsOf>> stackBitsByFrame(const StackTable& stacks, BitsOf bitsOf)
{
    std::vector<FrameBits<BitsOf>> bits(stacks.frameCount());
    for (std::size_t frame = 0; frame < bits.size(); ++frame)
        bits[frame] = bitsOf(stacks.frame(FrameId(frame)));
    return stackBits<FrameBits<BitsOf>>(stacks, [&](FrameId frame) { return bits[frame.index()]; });
}

} // namespace highwater
