#pragma once

#include <functional>
#include <string_view>

#include "core/base/result.h"
#include "core/trace/trace.h"

namespace highwater {

/// Takes the next bytes of a file; false stops the writing.
using ByteSink = std::function<bool(std::string_view)>;

/// Writes a trace as a .hwt file (native_format.h). Fails with CannotRead when the sink does.
Result<void> writeNative(const Trace& trace, const ByteSink& sink);

} // namespace highwater
