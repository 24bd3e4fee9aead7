#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/cli/console/terminal.h"
#include "core/trace/trace.h"

namespace highwater::cli {

// The part of `info` about series, messages and settings.

/// Returns one object per series.
nlohmann::ordered_json countersJson(const Trace& trace);
/// Counts the events of a log by kind.
nlohmann::ordered_json logEventsJson(const Trace& trace);
/// Returns every out-of-memory message with its figures and the conclusions from them; at most 1,000.
nlohmann::ordered_json oomMessagesJson(const Trace& trace);
/// Returns the settings that the log prints, with their origin and line.
nlohmann::ordered_json configurationJson(const Trace& trace);
/// Returns the bytes; null if the message does not contain them.
nlohmann::ordered_json bytesJson(const std::optional<WrittenBytes>& written);

/// Prints series, messages, warnings and settings for people, if there are any. Unless `all`, prints only
/// series of memory, and only the first messages and settings.
void printLog(const Trace& trace, const Style& style, bool all);

} // namespace highwater::cli
