#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// Returns the result of `judge` for each function, by the function's number. Results that depend only on
/// names are then computed once per function, not once per stack. O(functions).
template <typename Judge>
auto resultsByFunction(const StackTable& stacks, Judge judge)
{
    std::vector<std::invoke_result_t<Judge, const Frame&>> judged;
    judged.reserve(stacks.functionCount());
    for (std::size_t function = 0; function < stacks.functionCount(); ++function)
        judged.push_back(judge(stacks.function(function)));
    return judged;
}

/// The type of the bits that `Judge` returns for a frame; a byte if it returns a bool.
template <typename Judge>
using FrameBits = std::conditional_t<std::is_same_v<std::invoke_result_t<Judge, const Frame&>, bool>,
    std::uint8_t, std::invoke_result_t<Judge, const Frame&>>;

/// Returns the bits of all frames of a stack combined with OR, by the stack's index; 0 for the empty stack.
/// O(stacks).
template <typename Bits, typename BitsOfFrame>
std::vector<Bits> stackBits(const StackTable& stacks, BitsOfFrame bitsOf)
{
    std::vector<Bits> bitsOfStack(stacks.nodeCount());
    // A stack is interned after its caller, so callers come first.
    for (std::size_t node = StackTable::kEmpty.index() + 1; node < bitsOfStack.size(); ++node) {
        const StackId stack(node);
        bitsOfStack[node]
            = static_cast<Bits>(bitsOf(stacks.innermost(stack)) | bitsOfStack[stacks.caller(stack).index()]);
    }
    return bitsOfStack;
}

/// Returns what `stackBits` does, for bits that depend on function and file only. Calls `bitsOf` once per
/// function.
template <typename BitsOf>
std::vector<FrameBits<BitsOf>> stackBitsByFunction(const StackTable& stacks, BitsOf bitsOf)
{
    using Bits = FrameBits<BitsOf>;
    const auto bits
        = resultsByFunction(stacks, [&](const Frame& frame) { return static_cast<Bits>(bitsOf(frame)); });
    return stackBits<Bits>(stacks, [&](FrameId frame) { return bits[stacks.functionOf(frame)]; });
}

/// Returns what `stackBits` does, for bits that depend on function, file and line. Calls `bitsOf` once per
/// frame.
template <typename BitsOf>
std::vector<FrameBits<BitsOf>> stackBitsByFrame(const StackTable& stacks, BitsOf bitsOf)
{
    std::vector<FrameBits<BitsOf>> bits(stacks.frameCount());
    for (std::size_t frame = 0; frame < bits.size(); ++frame)
        bits[frame] = bitsOf(stacks.frame(FrameId(frame)));
    return stackBits<FrameBits<BitsOf>>(stacks, [&](FrameId frame) { return bits[frame.index()]; });
}

} // namespace highwater
