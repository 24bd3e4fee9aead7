#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// By index of the stack: the bits of all its frames together. `bitsOf` is asked once for each frame.
/// O(frames + stacks).
template <typename BitsOf>
std::vector<std::uint8_t> stackBits(const Trace& trace, BitsOf bitsOf)
{
    std::vector<std::uint8_t> ofFrame(trace.stacks.frameCount());
    for (std::size_t frame = 0; frame < ofFrame.size(); ++frame)
        ofFrame[frame] = bitsOf(trace.stacks.frame(FrameId(frame)));
    std::vector<std::uint8_t> ofStack(trace.stacks.nodeCount());
    // A stack is interned after its caller, so callers come first.
    for (std::size_t node = StackTable::kEmpty.index() + 1; node < ofStack.size(); ++node) {
        const StackId stack(node);
        ofStack[node]
            = ofFrame[trace.stacks.innermost(stack).index()] | ofStack[trace.stacks.caller(stack).index()];
    }
    return ofStack;
}

} // namespace highwater
