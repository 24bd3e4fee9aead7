#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/trace/trace.h"

namespace highwater {

/// Names of functions that compute logits and their loss.
std::span<const std::string_view> logitsNames();

/// Which frame of a stack has one of some names.
enum class Speaker : std::uint8_t
{
    None,
    Caller, ///< of a module, which says what the module's output is for
    Itself, ///< the operator, or a function that is no module's
};

/// Which of the innermost frames has one of the names: those up to the user's second own frame, or an
/// operator among them. O(frames × names).
Speaker speakerOf(const Trace& trace, StackId stack, std::span<const std::string_view> names);

} // namespace highwater
