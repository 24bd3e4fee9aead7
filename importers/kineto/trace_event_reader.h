#pragma once

#include <optional>

#include "core/base/progress.h"
#include "importers/kineto/records.h"
#include "importers/source/byte_source.h"

namespace highwater::kineto {

/// The limits of reading, and its optional content.
struct ReadLimits
{
    std::uint64_t maxMemoryBytes = 0;
    StopToken stop;
    bool activities = false; ///< also read kernels, copies, memsets and runtime calls
};

/// Reads the events as a stream, usually with a few megabytes of text in memory. Keeps memory instants,
/// slices that explain them and, if requested, activities. Times include the base time of the trace.
///
/// If the text is not valid JSON, counts and skips up to 1,000 broken events; the error Malformed then gives
/// the position of the first one. A valid text without events is Malformed, too. Other errors are Truncated,
/// Cancelled, LimitExceeded, and those of the source.
std::optional<Error> readTraceEvents(
    ByteSource& source, const ReadLimits& limits, StringPool& strings, Records& records);

} // namespace highwater::kineto
