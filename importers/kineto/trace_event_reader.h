#pragma once

#include <optional>

#include "core/base/progress.h"
#include "importers/kineto/records.h"
#include "importers/source/byte_source.h"

namespace highwater::kineto {

struct ReadLimits
{
    std::uint64_t maxMemoryBytes = 0;
    StopToken stop;
    bool activities = false; ///< also kernels, copies and runtime calls
};

/// Reads the events in one pass and keeps what memory is attributed to. Names go to `strings`. Times are
/// since the Unix epoch. Holds some megabytes of the text at a time.
///
/// Where the text is not valid JSON, broken events are counted, the others are kept, and the error has the
/// first position. Fails with Cancelled and LimitExceeded.
std::optional<Error> readTraceEvents(
    ByteSource& source, const ReadLimits& limits, StringPool& strings, Records& records);

} // namespace highwater::kineto
