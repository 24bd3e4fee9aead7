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
    /// True if these are the file's own, and not computed from its events.
    bool recorded = false;
    /// How the state is known. Its `outsideCount` allocations get segments of their own, which the file did
    /// not have.
    SegmentState state;
};

/// Returns the segments right after the event; −1 is before the first. Every allocation that is live then is
/// exactly one live block, with the allocation's address and requested bytes. O(live × log live + segments +
/// events).
EndSegments segmentsAfter(const SegmentHistory& history, const LiveIndex& live, std::int64_t event);

} // namespace highwater
