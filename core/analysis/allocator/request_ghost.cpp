#include "core/analysis/allocator/request_ghost.h"

#include <algorithm>

#include "core/analysis/allocator/free_lists.h"

namespace highwater {

namespace {

/// Returns the segment with the largest free block that may serve the request; nullopt if no block is free.
std::optional<SegmentAt> segmentForRequest(
    const Trace& trace, const SegmentState& state, const FreeListKey& key)
{
    std::optional<SegmentAt> best;
    for (const SegmentAt& segment : state.segments)
        if (segment.largestFree > (best ? best->largestFree : 0) && serves(trace, segment.range, key))
            best = segment;
    return best;
}

} // namespace

std::optional<RequestGhost> requestGhostAt(
    const Trace& trace, DeviceIndex device, std::span<const OomEvent> ooms, const SegmentState& state)
{
    if (ooms.empty())
        return std::nullopt;
    const auto next
        = std::ranges::find_if(ooms, [&](const OomEvent& oom) { return oom.event >= state.event; });
    const OomEvent& oom = next == ooms.end() ? ooms.back() : *next;
    const FreeListKey key = servingFreeList(trace, trace.events.row(trace.row(device, oom.event)));
    const std::optional<SegmentAt> segment = segmentForRequest(trace, state, key);
    if (oom.requestedBytes <= 0 || !segment)
        return std::nullopt;
    std::uint32_t row = segment->blocks.first;
    while (!state.blocks[row].isFreeBlock() || state.blocks[row].size < segment->largestFree)
        ++row;
    return RequestGhost{oom.event, oom.requestedBytes, row, segment->largestFree >= oom.requestedBytes};
}

} // namespace highwater
