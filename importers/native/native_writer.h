#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"
#include "importers/source/byte_sink.h"

namespace highwater {

/// Writes a trace as a .hwt file (native_format.h). Fails with CannotRead if the sink refuses bytes or a
/// section cannot be compressed.
Result<void> writeNative(const Trace& trace, const ByteSink& sink);

} // namespace highwater
