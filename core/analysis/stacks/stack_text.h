#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/trace/trace.h"

namespace highwater {

/// Returns the names of functions that compute logits and their loss.
std::span<const std::string_view> logitsNames();

/// The position of the innermost frame whose function name contains one of the given names.
enum class NamedFrame : std::uint8_t
{
    None,
    Caller, ///< caller of a module; the name shows the use of the module's output
    Itself, ///< the operator itself, or a function outside modules
};

/// Searches the innermost frames for the names, as parts of function names. Stops after the second frame of
/// the user's own code. O(frames × names).
NamedFrame findNamedFrame(const Trace& trace, StackId stack, std::span<const std::string_view> names);

} // namespace highwater
