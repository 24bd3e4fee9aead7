#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/cli/console/terminal.h"
#include "core/trace/trace.h"

/// What `info` says of series, messages and settings.
namespace highwater::cli {

nlohmann::ordered_json countersJson(const Trace& trace);
/// Counts of the events of a log.
nlohmann::ordered_json logEventsJson(const Trace& trace);
/// Every out-of-memory message with its figures and what follows from them; at most 1,000.
nlohmann::ordered_json oomMessagesJson(const Trace& trace);
nlohmann::ordered_json configurationJson(const Trace& trace);
/// Null where nothing was written.
nlohmann::ordered_json bytesJson(const std::optional<WrittenBytes>& written);

/// Prints series, messages, warnings and settings for people; nothing if there are none. Unless `all`: of
/// series those of memory, of messages and settings the first.
void printLog(const Trace& trace, const Style& style, bool all);

} // namespace highwater::cli
