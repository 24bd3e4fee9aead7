#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/trace/trace.h"

namespace highwater::native {

/// Returns the small parts of a trace as JSON text: metadata, devices, streams, pools, unknown actions,
/// counters, log events, import log.
std::string documentText(const Trace& trace);

/// Restores the parts that `documentText` wrote in an empty trace, whose kind becomes Native, and appends
/// each device's number of untouched blocks to `untouchedCounts`. Fails with Malformed.
Result<void> readDocument(std::string_view text, Trace& trace, std::vector<std::size_t>& untouchedCounts);

} // namespace highwater::native
