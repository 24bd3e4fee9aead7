#pragma once

#include <string>

#include "core/analysis/logs/oom_message.h"
#include "core/trace/log_event.h"

namespace highwater {

/// Returns the title of a finding about an out-of-memory message, without a final full stop: the diagnosis,
/// "Out of memory on GPU 2 (rank 2): 3.91 GiB requested, 2 GiB short". All figures are evidence
/// (`roomSentence`, `messageLine`). The event must have figures.
std::string messageTitle(const LogEvent& event, const OomReading& reading);

/// Returns the title for a request that failed while others fill the GPU, with the bytes outside PyTorch:
/// "Out of memory on GPU 5: 1 GiB requested; 38.8 GiB of the 60 GiB is used outside PyTorch's allocator". The
/// event must have the request and the capacity.
std::string outsideTitle(const LogEvent& event, Bytes outside);

/// Returns what was free: "The GPU had 1.73 GiB of 79.11 GiB free, and PyTorch's cache 112 MiB", without a
/// final full stop. Empty unless this explains the failure, and the title lacks it.
std::string roomSentence(const OomFigures& figures, const OomReading& reading);

/// Returns the line of a message with all of its figures, so that it proves the title: "Line 7: 17.66 GiB
/// requested, 4.97 GiB free, …"; with the beginning of its text if it has none. `event.figures` must be set.
std::string messageLine(const LogEvent& event);

} // namespace highwater
