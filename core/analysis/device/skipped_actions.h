#pragma once

#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// Actions that the recorder was told to leave out (`skip_actions`), as far as the device's events show it:
/// one half of what always comes in pairs is there and the other never is. Without segment events nothing
/// shows, as segments need not change. O(events).
std::vector<Action> skippedActions(const Trace& trace, DeviceIndex device);

} // namespace highwater
