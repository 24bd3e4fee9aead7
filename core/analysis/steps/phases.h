#pragma once

#include "core/analysis/steps/phase_table.h"
#include "core/trace/trace.h"

namespace highwater {

/// From annotations (grade A), then from the frames of each event's stack (B), then from what stands between
/// them (C). A pause for `zero_grad` between forward and backward belongs to the phase before it. O(events +
/// stacks).
PhaseTable findPhases(const Trace& trace, DeviceIndex device);

} // namespace highwater
