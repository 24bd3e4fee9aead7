#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/trace/trace.h"

namespace highwater {

/// Names in the frames of logits and their loss.
std::span<const std::string_view> logitsNames();

/// Who has one of some names in a stack.
enum class Speaker : std::uint8_t
{
    None,
    Caller, ///< of a module, which says what the module's output is for
    Itself, ///< the operator, or a function that is no module's
};

/// Who of the innermost frames of a stack, up to the second of the user's own, or an operator among them, has
/// one of the names. O(frames × names).
Speaker speakerOf(const Trace& trace, StackId stack, std::span<const std::string_view> names);

} // namespace highwater
