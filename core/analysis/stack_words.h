#pragma once

#include <span>
#include <string_view>

#include "core/trace/trace.h"

namespace highwater {

/// Names in the frames of logits and their loss.
std::span<const std::string_view> logitsNames();

/// Whether the innermost frames of a stack, up to the second of the user's own, or an operator among them,
/// hold one of the names. O(frames × names).
bool innermostFramesName(const Trace& trace, StackId stack, std::span<const std::string_view> names);

} // namespace highwater
