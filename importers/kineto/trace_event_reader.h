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
    bool activities = false; ///< also read kernels, copies and runtime calls
};

/// Reads the events in one pass, keeping memory events and what they are attributed to. Puts names into
/// `strings`. Times count from the Unix epoch. Holds a few megabytes of the text at a time.
///
/// If the text is not valid JSON, broken events are counted, all others are kept, and the error has the
/// position of the first problem. Fails with Cancelled and LimitExceeded.
std::optional<Error> readTraceEvents(
    ByteSource& source, const ReadLimits& limits, StringPool& strings, Records& records);

} // namespace highwater::kineto
