#pragma once

#include "core/trace/event_pairing.h"
#include "core/trace/trace.h"

namespace highwater {

/// Logs the inconsistencies that pairing found on a device.
void logPairingFaults(ImportLog& log, const Device& device, const PairingFaults& faults);

/// Checks the invariants of every genuine trace: blocks add up to their segment without gaps, reserved
/// bytes are never negative, and times are in order. Logs violations, which are never fatal. O(rows).
void checkTrace(const Trace& trace, ImportLog& log);

} // namespace highwater
