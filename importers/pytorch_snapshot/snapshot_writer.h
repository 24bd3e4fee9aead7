#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"
#include "importers/source/byte_sink.h"

namespace highwater {

/// Writes a trace in PyTorch's memory snapshot format: a dict as a pickle of protocol 4, which PyTorch's
/// viewer and this program read (FORMAT.md). Each stack is written once and then referenced. Bytes that are
/// not UTF-8 become U+FFFD.
///
/// Fails with BadRequest if a device does not end in segments, or has events and a number below 0 or above
/// 1,023; with CannotRead if the sink fails.
Result<void> writeSnapshot(const Trace& trace, const ByteSink& sink);

} // namespace highwater
