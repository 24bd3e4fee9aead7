#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/cli/console/terminal.h"
#include "core/trace/trace.h"

namespace highwater::cli {

// The part of `info` about series, messages and settings.

/// Returns one object per series.
nlohmann::ordered_json countersJson(const Trace& trace);
/// Counts the messages of a log by kind, and the failures that they report.
nlohmann::ordered_json logEventsJson(const Trace& trace);
/// Returns all messages but warnings, with their figures and the conclusions from them; the first 1,000.
nlohmann::ordered_json oomMessagesJson(const Trace& trace);
/// Returns the settings that the log prints, with their origin and line.
nlohmann::ordered_json configurationJson(const Trace& trace);
/// Returns the bytes; null if the message does not contain them.
nlohmann::ordered_json bytesJson(const std::optional<WrittenBytes>& written);

/// Prints series, failures, the number of warnings, and settings for people, if there are any. Unless `all`,
/// prints only series of memory, or the first others if there are none, and only the first failures and
/// settings.
void printLog(const Trace& trace, const Style& style, bool all);

} // namespace highwater::cli
