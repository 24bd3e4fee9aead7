#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/segments/segment_state.h"

namespace highwater {

/// Segments and blocks of one device as a snapshot would have listed them right after an event. Streams,
/// pools and stacks are those of the trace that they come from.
struct EndSegments
{
    std::vector<Segment> segments; ///< their blocks are rows of `blocks`
    std::vector<Block> blocks;
    /// True if the segments come from the file, not from a computation from its events.
    bool recorded = false;
    /// The state from which the segments were computed. Its `outsideAllocationCount` allocations, which are
    /// in no recorded segment, get new segments of their own.
    SegmentState state;
};

/// Returns the segments right after the event; −1 is before the first event. Every live allocation is exactly
/// one live block, with the allocation's address and requested bytes. O(live × log live + segments + events).
EndSegments segmentsAfter(const SegmentHistory& history, const LiveIndex& live, std::int64_t event);

} // namespace highwater
