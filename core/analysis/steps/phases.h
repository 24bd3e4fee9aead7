#pragma once

#include "core/analysis/steps/phase_table.h"
#include "core/trace/trace.h"

namespace highwater {

/// From annotations (grade A), else from the frames of each event's stack (B), else from the neighbouring
/// events (C). A `zero_grad` between forward and backward belongs to the phase before it. O(events + stacks).
PhaseTable findPhases(const Trace& trace, DeviceIndex device);

} // namespace highwater
