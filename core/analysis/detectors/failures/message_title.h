#pragma once

#include <string>

#include "core/analysis/logs/oom_message.h"
#include "core/trace/log_event.h"

namespace highwater {

/// Returns the title of a finding about an out-of-memory message, without a final full stop. The diagnosis
/// comes first: "Out of memory on GPU 2 (rank 2): 3.91 GiB requested, 2 GiB short; 1.73 GiB of 79.11 GiB
/// free". The event must have figures.
std::string messageTitle(const LogEvent& event, const OomReading& reading);

/// Returns the line of a message with the figures that a title does not have: "Line 7: 4.97 GiB free", or
/// with its text if there are none. The event must have figures.
std::string messageLine(const LogEvent& event, const std::string& title);

} // namespace highwater
