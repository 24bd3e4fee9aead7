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
/// Returns the first 1,000 messages that report failures of any kind, with their figures and the conclusions
/// from them.
nlohmann::ordered_json failureMessagesJson(const Trace& trace);
/// Returns the settings that the file contains, with their origin, and their line if it is known.
nlohmann::ordered_json configurationJson(const Trace& trace);
/// Returns the bytes; null if the message does not contain them.
nlohmann::ordered_json bytesJson(const std::optional<WrittenBytes>& written);

/// Prints what the log has of series, failures, warnings (their number) and settings, for people. Unless
/// `all`, prints only the first failures and settings, and at most 60 series of memory, or the first 12
/// others if there are none.
void printLog(const Trace& trace, const Style& style, bool all);

} // namespace highwater::cli
