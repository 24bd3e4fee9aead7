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
    bool activities = false; ///< also read kernels, copies and runtime calls
};

/// Reads the events as a stream, with a few megabytes of text in memory. Keeps memory instants and the slices
/// that explain them. Puts names into `strings`. Times include the base time of the trace.
///
/// If the text is not valid JSON, counts and skips broken events; the error then gives the position of the
/// first one. Other errors are Truncated, Cancelled, LimitExceeded, and those of the source.
std::optional<Error> readTraceEvents(
    ByteSource& source, const ReadLimits& limits, StringPool& strings, Records& records);

} // namespace highwater::kineto
