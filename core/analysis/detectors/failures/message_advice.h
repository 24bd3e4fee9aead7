#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/analysis/detectors/finding.h"
#include "core/analysis/logs/oom_message.h"
#include "core/trace/trace.h"

namespace highwater {

/// True if a limit, or the request itself, is the cause, so that a snapshot would add nothing.
bool isSettledByMessage(OomCause cause);

/// True if the other processes that the message lists are the first thing to remove: the request would fit
/// without them, and they hold more than PyTorch's cache has free.
bool blamesProcesses(const OomReading& reading);

/// Returns the advice to end processes without which this many requests would fit.
std::string actionForProcesses(const std::set<std::int64_t>& processes, std::size_t requests);

/// Returns the action that follows from a message of the log, with the bytes that it would have freed. Unless
/// `isSettledByMessage`, the larger one of two decides: what other processes hold, or what PyTorch's cache
/// has free in pieces. If neither would have sufficed, the advice is to record a snapshot.
Remedy remedyForMessage(const Trace& log, const LogEvent& event, const OomReading& reading);

} // namespace highwater
