#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/trace/trace.h"

namespace highwater {

/// Returns the names of functions that compute logits and their loss.
std::span<const std::string_view> logitsNames();

/// The frame of a stack that has one of the given names.
enum class Speaker : std::uint8_t
{
    None,
    Caller, ///< a caller of a module, whose name shows what the module's output is for
    Itself, ///< the operator itself, or a function outside modules
};

/// Returns which of the innermost frames has one of the names. Frames up to the user's second own frame are
/// searched. O(frames × names).
Speaker speakerOf(const Trace& trace, StackId stack, std::span<const std::string_view> names);

} // namespace highwater
