#pragma once

#include <string>

#include "core/analysis/segments/segment_state.h"
#include "core/analysis/stacks/call_site.h"

namespace highwater {

/// The change that the event before a state made to the memory of the device.
struct MemoryChange
{
    Action action = Action::FirstUnknown;
    Bytes bytes = 0; ///< as recorded: requested bytes of an allocation, else the size in the event
    AllocationIndex allocation = AllocationTable::kNoAllocation;
    Address begin = 0; ///< beginning of the block or segment
    Bytes length = 0; ///< bytes from `begin` that changed; 0 if the event changed no memory
};

/// Describes the event of the state; a default value for a state before the first event. O(log blocks).
MemoryChange describeChange(const AllocationTable& allocations, const SegmentState& state);

/// Returns "freed 12 MiB, forward (model.py:39)"; the name of the action if it changes no memory.
std::string changeText(const Trace& trace, const CallSites& sites, const MemoryChange& change);

} // namespace highwater
