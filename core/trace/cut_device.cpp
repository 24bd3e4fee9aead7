#include "core/trace/cut_device.h"

#include <algorithm>

namespace highwater {

void addToEndState(EndState& state, const Segment& segment, BlockRange blocks)
{
    ++state.segments;
    state.blocks += segment.blocks.size();
    state.reservedBytes += segment.totalSize;
    for (const Block& block : blocks)
        if (block.isLive()) {
            ++state.liveBlocks;
            state.liveBytes += block.requestedSize;
            state.liveBlockBytes += block.size;
        }
}

Bytes reservedAtEnd(const Trace& trace, DeviceIndex device)
{
    const Device& about = trace.devices[device];
    Bytes sum = 0;
    for (const Segment& segment : trace.segments.rows(about.segments))
        sum += segment.totalSize;
    if (about.segmentsRead == Extent::Whole)
        return sum;
    Bytes undone = sum;
    Bytes least = sum;
    for (std::uint32_t row = about.events.last; row-- > about.events.first;) {
        undone -= trace.events.reservedChange(row);
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
        const Bytes change = trace.events.reservedChange(row);
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
