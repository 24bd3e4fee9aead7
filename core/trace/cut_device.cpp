#include "core/trace/cut_device.h"

#include <algorithm>

namespace highwater {

void addToEndState(EndState& state, const Segment& segment, BlockRange blocks)
{
    ++state.segmentCount;
    state.blockCount += segment.blocks.size();
    state.reservedBytes += segment.totalSize;
    for (const Block& block : blocks)
        if (block.isLive()) {
            ++state.liveBlockCount;
            state.liveBytes += block.requestedSize;
            state.liveBlockBytes += block.size;
        }
}

Bytes reservedAtEnd(const Trace& trace, DeviceIndex device)
{
    const Device& target = trace.devices[device];
    Bytes sum = 0;
    for (const Segment& segment : trace.segments.rows(target.segments))
        sum += segment.totalSize;
    if (target.segmentsRead == Extent::Whole)
        return sum;
    Bytes reserved = sum;
    Bytes lowest = sum;
    for (std::uint32_t row = target.events.last; row-- > target.events.first;) {
        reserved -= trace.events.reservedChange(row);
        lowest = std::min(lowest, reserved);
    }
    return sum - std::min<Bytes>(lowest, 0);
}

void deriveReserved(Trace& trace, DeviceIndex device)
{
    Device& target = trace.devices[device];
    Bytes reserved = 0;
    Bytes start = 0;
    for (std::uint32_t row = target.events.first; row < target.events.last; ++row) {
        const Bytes change = trace.events.reservedChange(row);
        if (change == 0)
            continue;
        if (target.reserved.empty())
            target.reserved.push_back({-1, 0});
        reserved += change;
        start = std::max(start, -reserved);
        target.reserved.push_back({row - target.events.first, reserved});
    }
    for (ReportedTotal& total : target.reserved)
        total.bytes += start;
}

} // namespace highwater
