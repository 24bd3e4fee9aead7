#include "core/trace/cut_device.h"

#include <algorithm>

namespace highwater {

namespace {

/// What an event changes of the reserved bytes.
Bytes reservedChange(const MemoryEventTable& events, std::uint32_t row)
{
    if (isReserve(events.action[row]))
        return events.size[row];
    return isRelease(events.action[row]) ? -events.size[row] : 0;
}

} // namespace

void addToEndState(EndState& state, const Segment& segment, const Column<Block>& blocks)
{
    ++state.segments;
    state.blocks += segment.blocks.size();
    state.reservedBytes += segment.totalSize;
    for (std::uint32_t b = segment.blocks.first; b < segment.blocks.last; ++b) {
        if (!blocks[b].isLive())
            continue;
        ++state.liveBlocks;
        state.liveBytes += blocks[b].requestedSize;
        state.liveBlockBytes += blocks[b].size;
    }
}

Bytes reservedAtEnd(const Trace& trace, DeviceIndex device)
{
    const Device& about = trace.devices[device];
    Bytes sum = 0;
    for (std::uint32_t s = about.segments.first; s < about.segments.last; ++s)
        sum += trace.segments.segments[s].totalSize;
    if (about.segmentsRead == Extent::Whole)
        return sum;
    Bytes undone = sum;
    Bytes least = sum;
    for (std::uint32_t row = about.events.last; row-- > about.events.first;) {
        undone -= reservedChange(trace.events, row);
        least = std::min(least, undone);
    }
    return sum - std::min<Bytes>(least, 0);
}

void deriveReserved(Trace& trace, DeviceIndex device)
{
    Device& about = trace.devices[device];
    Bytes reserved = 0;
    Bytes start = 0;
    for (std::uint32_t row = about.events.first; row < about.events.last; ++row) {
        const Bytes change = reservedChange(trace.events, row);
        if (change == 0)
            continue;
        if (about.reserved.empty())
            about.reserved.push_back({-1, 0});
        reserved += change;
        start = std::max(start, -reserved);
        about.reserved.push_back({row - about.events.first, reserved});
    }
    for (ReportedTotal& total : about.reserved)
        total.bytes += start;
}

} // namespace highwater
