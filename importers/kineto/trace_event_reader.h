#pragma once

#include <optional>

#include "core/base/progress.h"
#include "importers/kineto/records.h"
#include "importers/kineto/trace_text.h"

namespace highwater::kineto {

struct ReadLimits
{
    std::uint64_t maxMemoryBytes = 0; ///< for the records
    StopToken stop;
    bool activities = false; ///< also kernels, copies and runtime calls
};

/// Reads the events one by one, without building a document, and keeps what memory is attributed to. Names go
/// to `strings`. Times are since the Unix epoch.
///
/// A text that is not valid JSON is read again event by event: broken events are counted, the others are
/// kept, and the error has the first position.
std::optional<Error> readTraceEvents(
    const TraceText& text, const ReadLimits& limits, StringPool& strings, Records& records);

} // namespace highwater::kineto
