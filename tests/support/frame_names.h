#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater::test {

/// Returns the functions in an event's stack, innermost first.
inline std::vector<std::string> functionsAt(const Trace& trace, std::int64_t event, DeviceIndex device = 0)
{
    std::vector<std::string> names;
    for (const FrameId id : trace.stacks.frames(trace.events.stack[trace.row(device, event)]))
        names.emplace_back(trace.text(trace.stacks.frame(id).function));
    return names;
}

} // namespace highwater::test
