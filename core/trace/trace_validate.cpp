#include "core/trace/trace_validate.h"

#include <algorithm>

namespace highwater {

namespace {

/// All ids are none or below `size`.
template <typename Ids>
bool allWithin(const Ids& ids, std::size_t size)
{
    return std::ranges::all_of(ids, [size](const auto& id) { return id.isNone() || id.index() < size; });
}

template <typename Id>
bool within(Id id, std::size_t size)
{
    return id.isNone() || id.index() < size;
}

bool within(RowRange range, std::size_t size)
{
    return range.first <= range.last && range.last <= size;
}

bool columnsAreEqual(const MemoryEventTable& events)
{
    const std::size_t rows = events.rows();
    return events.address.size() == rows && events.size.size() == rows && events.time.size() == rows
        && events.stream.size() == rows && events.stack.size() == rows;
}

bool sizesAreSound(const Trace& trace)
{
    const auto sound = [](Bytes bytes) { return bytes >= 0 && bytes <= (Bytes{1} << 48); };
    return std::ranges::all_of(trace.events.size, sound)
        && std::ranges::all_of(
            trace.segments.blocks, [&](const Block& b) { return sound(b.size) && sound(b.requestedSize); })
        && std::ranges::all_of(trace.segments.segments, [&](const Segment& s) { return sound(s.totalSize); });
}

bool sparseIdsAreSound(const Trace& trace)
{
    const MemoryEventTable& events = trace.events;
    const bool none = events.pool.empty() && events.details.empty() && events.category.empty();
    for (std::size_t row = 0; row < events.rows() && !none; ++row)
        if (!within(trace.events.pool.get(row), trace.pools.size())
            || !within(trace.events.category.get(row), trace.strings.size())
            || !within(trace.events.details.get(row), trace.strings.size()))
            return false;
    return true;
}

bool framesAreSound(const Trace& trace)
{
    for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
        const Frame& frame = trace.stacks.frame(FrameId(i));
        if (!within(frame.function, trace.strings.size()) || !within(frame.file, trace.strings.size())
            || !within(frame.details, trace.strings.size()))
            return false;
    }
    return true;
}

bool segmentIsSound(const Trace& trace, const Segment& segment)
{
    return within(segment.blocks, trace.segments.blocks.size())
        && within(segment.stack, trace.stacks.nodeCount()) && within(segment.stream, trace.streams.size())
        && within(segment.pool, trace.pools.size());
}

/// Births and deaths must point at each other: lifetimes then never end before they begin.
bool pairingIsSound(const Trace& trace, DeviceIndex device)
{
    const EventPairing& pairing = trace.pairings[device];
    const RowRange rows = trace.devices[device].events;
    const auto events = static_cast<std::int32_t>(rows.size());
    for (std::int32_t event = 0; event < events; ++event) {
        const std::int32_t partner = pairing.partner[static_cast<std::size_t>(event)];
        const Action action = trace.events.action[rows.first + static_cast<std::uint32_t>(event)];
        const bool inRange = partner >= EventPairing::kUnknown && partner < events;
        const bool birthBefore = !isBirth(action) || partner == EventPairing::kNone || partner > event;
        const bool deathAfter = !isDeath(action) || partner < event;
        if (!inRange || !birthBefore || !deathAfter
            || (partner >= 0 && isDeath(action)
                && pairing.partner[static_cast<std::size_t>(partner)] != event))
            return false;
    }
    return std::ranges::all_of(
        pairing.untouchedBlocks, [&](std::uint32_t block) { return block < trace.segments.blocks.size(); });
}

/// Totals and failed requests must refer to events of the device, in order.
bool reportsAreSound(const Device& device)
{
    const auto sound = [&](const auto& reports, std::int64_t least) {
        std::int64_t last = least;
        for (const auto& [event, bytes] : reports) {
            if (event < last || event >= device.events.size())
                return false;
            last = event;
        }
        return true;
    };
    return sound(device.reserved, -1) && sound(device.outOfMemory, 0);
}

bool deviceIsSound(const Trace& trace, DeviceIndex device)
{
    const Device& d = trace.devices[device];
    return reportsAreSound(d) && within(d.events, trace.events.rows())
        && within(d.segments, trace.segments.segments.size())
        && trace.pairings[device].partner.size() == d.events.size();
}

} // namespace

std::string firstProblem(const Trace& trace)
{
    if (!columnsAreEqual(trace.events) || trace.pairings.size() != trace.devices.size())
        return "columns of different length";
    if (!allWithin(trace.events.stack, trace.stacks.nodeCount())
        || !allWithin(trace.events.stream, trace.streams.size()) || !sparseIdsAreSound(trace))
        return "an event refers to something that is not there";
    if (!framesAreSound(trace) || !sizesAreSound(trace))
        return "a frame or a size";
    const SegmentRows& segments = trace.segments.segments;
    if (!std::ranges::all_of(
            segments, [&](const Segment& segment) { return segmentIsSound(trace, segment); }))
        return "a segment refers to something that is not there";
    const auto blockIsSound = [&](const Block& block) {
        return within(block.stack, trace.stacks.nodeCount()) && within(block.category, trace.strings.size());
    };
    if (!std::ranges::all_of(trace.segments.blocks, blockIsSound))
        return "a block refers to something that is not there";
    if (!std::ranges::all_of(
            trace.spans, [&](const Span& span) { return within(span.name, trace.strings.size()); }))
        return "a span refers to something that is not there";
    if (!allWithin(trace.activities.name, trace.strings.size()))
        return "an activity refers to something that is not there";
    for (DeviceIndex device = 0; device < trace.devices.size(); ++device)
        if (!deviceIsSound(trace, device) || !pairingIsSound(trace, device))
            return "a device's events";
    return {};
}

} // namespace highwater
