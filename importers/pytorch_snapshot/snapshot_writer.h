#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"
#include "importers/source/byte_sink.h"

namespace highwater {

/// Writes a trace as PyTorch writes a memory snapshot: a dict as a pickle of protocol 4, which PyTorch's own
/// viewer and this program read (FORMAT.md). Each stack is written once and referred to. Texts that are no
/// UTF-8 lose those bytes to U+FFFD.
///
/// Fails with BadRequest if the trace does not end in segments, or has a device whose number no list can
/// hold; with CannotRead when the sink fails.
Result<void> writeSnapshot(const Trace& trace, const ByteSink& sink);

} // namespace highwater
