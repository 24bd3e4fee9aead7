#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"
#include "importers/source/byte_sink.h"

namespace highwater {

/// Writes a trace in PyTorch's memory snapshot format: a dict as a pickle of protocol 4, which PyTorch's
/// viewer and this program read (FORMAT.md). Each stack is written once and then referenced. Bytes that are
/// not UTF-8 become U+FFFD.
///
/// Fails with BadRequest if the trace does not end in segments, or has a device number too large for the
/// list; with CannotRead if the sink fails.
Result<void> writeSnapshot(const Trace& trace, const ByteSink& sink);

} // namespace highwater
