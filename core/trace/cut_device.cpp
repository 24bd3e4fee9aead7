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

/// What an event changes of the live bytes. An allocation whose free was lost counts nothing.
Bytes liveChange(const Trace& trace, DeviceIndex device, std::uint32_t row)
{
    const MemoryEventTable& events = trace.events;
    const std::uint32_t first = trace.devices[device].events.first;
    const std::int32_t partner = trace.pairings[device].partner[row - first];
    if (isBirth(events.action[row])) {
        const bool replaced
            = partner >= 0 && isBirth(events.action[first + static_cast<std::uint32_t>(partner)]);
        return replaced ? 0 : events.size[row];
    }
    if (!isDeath(events.action[row]) || partner == EventPairing::kUnknown)
        return 0;
    return -events.size[partner >= 0 ? first + static_cast<std::uint32_t>(partner) : row];
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
    Bytes live = 0;
    for (std::uint32_t row = about.events.first; row < about.events.last; ++row)
        if (trace.pairings[device].partner[row - about.events.first] == EventPairing::kBeforeTrace)
            live += trace.events.size[row];
    Bytes reserved = 0;
    Bytes start = live;
    about.reserved.assign(1, {-1, 0});
    for (std::uint32_t row = about.events.first; row < about.events.last; ++row) {
        live += liveChange(trace, device, row);
        const Bytes change = reservedChange(trace.events, row);
        reserved += change;
        start = std::max(start, live - reserved);
        if (change != 0)
            about.reserved.push_back({row - about.events.first, reserved});
    }
    for (ReportedTotal& total : about.reserved)
        total.bytes += start;
}

} // namespace highwater
