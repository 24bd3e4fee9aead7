#pragma once

#include "core/trace/event_pairing.h"
#include "core/trace/trace.h"

namespace highwater {

/// Writes what pairing found wrong on a device into the log.
void logPairingFaults(ImportLog& log, const Device& device, const PairingFaults& faults);

/// Checks what must hold in every genuine trace (blocks add up to their segment and lie gapless, reserved
/// bytes are never negative, times are in order) and writes what does not into the log. Failures are
/// reported, never fatal.
void checkTrace(const Trace& trace, ImportLog& log);

} // namespace highwater
