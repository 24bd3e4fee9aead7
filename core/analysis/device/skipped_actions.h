#pragma once

#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// Infers the actions that the recorder was told to leave out (`skip_actions`) from the device's events: of
/// two actions that always occur together, only one is present. Skipped segment events cannot be inferred, as
/// segments need not change. O(events).
std::vector<Action> skippedActions(const Trace& trace, DeviceIndex device);

} // namespace highwater
