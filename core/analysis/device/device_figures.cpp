#include "core/analysis/device/device_figures.h"

#include <algorithm>
#include <array>

#include "core/base/hash.h"
#include "core/base/interruption.h"
#include "core/trace/cut_device.h"

namespace highwater {

namespace {

/// Live and reserved bytes during the walk over the events.
struct LiveTotals
{
    Bytes live = 0;
    std::int64_t liveCount = 0;
    Bytes reserved = 0;
};

class EventWalk
{
public:
    EventWalk(const Trace& trace, DeviceIndex device)
        : m_events(trace.events)
        , m_partner(trace.pairings[device].partner)
        , m_first(trace.devices[device].events.first)
        , m_count(trace.eventCount(device))
    {
    }

    /// Adds the peaks and the failed requests to `figures`. `totals` are those before the first event;
    /// returns those after the last.
    LiveTotals walk(DeviceFigures& figures, LiveTotals totals)
    {
        figures.peakBytes = totals.live;
        figures.peakLiveCount = totals.liveCount;
        figures.reservedPeakBytes = totals.reserved;
        InterruptionCounter interruption;
        for (std::int64_t event = 0; event < m_count; ++event) {
            interruption.round();
            const Action action = m_events.action[row(event)];
            if (isAllocationAction(action)) {
                addBirth(event, totals);
                if (totals.live > figures.peakBytes) {
                    figures.peakBytes = totals.live;
                    figures.peakEvent = event;
                    figures.peakLiveCount = totals.liveCount;
                }
            } else if (isFreeAction(action)) {
                addDeath(event, totals);
            } else if (isReservingAction(action)) {
                totals.reserved += m_events.size[row(event)];
                figures.reservedPeakBytes = std::max(figures.reservedPeakBytes, totals.reserved);
            } else if (isReleasingAction(action)) {
                totals.reserved -= m_events.size[row(event)];
            } else if (action == Action::Oom) {
                const std::size_t oomRow = row(event);
                figures.ooms.push_back({event, m_events.size[oomRow], m_events.deviceFreeBytes(oomRow)});
            }
        }
        return totals;
    }

private:
    std::size_t row(std::int64_t event) const { return m_first + static_cast<std::size_t>(event); }

    void addBirth(std::int64_t event, LiveTotals& totals)
    {
        // In a broken file, an allocation ends an earlier one at the same address, whose free was lost.
        if (!m_endedByAlloc.empty())
            if (auto ended = m_endedByAlloc.find(event); ended != m_endedByAlloc.end()) {
                totals.live -= ended->second;
                --totals.liveCount;
            }
        totals.live += m_events.size[row(event)];
        ++totals.liveCount;
        const std::int32_t endEvent = m_partner[static_cast<std::size_t>(event)];
        if (endEvent >= 0 && isAllocationAction(m_events.action[row(endEvent)]))
            m_endedByAlloc[endEvent] = m_events.size[row(event)];
    }

    void addDeath(std::int64_t event, LiveTotals& totals)
    {
        const std::int32_t born = m_partner[static_cast<std::size_t>(event)];
        if (born == EventPairing::kUnknown)
            return;
        totals.live -= m_events.size[row(born >= 0 ? born : event)];
        --totals.liveCount;
    }

    const MemoryEventTable& m_events;
    const PackedColumn<std::int32_t>& m_partner;
    std::size_t m_first;
    std::int64_t m_count;
    NumberMap<std::int64_t, Bytes> m_endedByAlloc;
};

void addEndState(const EndState& end, DeviceFigures& figures)
{
    figures.segmentCount = end.segmentCount;
    figures.blockCount = end.blockCount;
    figures.finalBytes = end.liveBytes;
    figures.finalLiveCount = end.liveBlockCount;
    figures.finalAllocatedBytes = end.liveBlockBytes;
    figures.reservedFinalBytes = end.reservedBytes;
    figures.reservedPeakBytes = std::max(figures.reservedPeakBytes, end.reservedBytes);
}

void addFinalState(const Trace& trace, DeviceIndex device, DeviceFigures& figures)
{
    EndState end;
    for (const Segment& segment : trace.segmentsOf(device))
        addToEndState(end, segment, trace.segments.blocksOf(segment));
    end.reservedBytes = reservedAtEnd(trace, device);
    addEndState(end, figures);
}

/// Returns the live and reserved bytes before the first event.
LiveTotals initialState(const Trace& trace, DeviceIndex device, Bytes reservedFinal)
{
    LiveTotals totals;
    const EventPairing& pairing = trace.pairings[device];
    for (const std::uint32_t block : pairing.untouchedBlocks)
        totals.live += trace.segments.blocks.requestedSize(block);
    totals.liveCount = static_cast<std::int64_t>(pairing.untouchedBlocks.size());
    totals.reserved = reservedFinal;
    const RowRange rows = trace.devices[device].events;
    for (std::uint32_t row = rows.first; row < rows.last; ++row) {
        totals.reserved -= trace.events.reservedChange(row);
        if (pairing.partner[row - rows.first] == EventPairing::kBeforeTrace) {
            totals.live += trace.events.size[row];
            ++totals.liveCount;
        }
    }
    return totals;
}

/// Adds the state of a device without segments: the end state from the walk over the events, failed requests
/// and reserved bytes as the file reports them.
void addStateWithoutSegments(const Device& device, const LiveTotals& last, DeviceFigures& figures)
{
    figures.finalBytes = last.live;
    figures.finalAllocatedBytes = last.live;
    figures.finalLiveCount = last.liveCount;
    for (const OutOfMemory& oom : device.outOfMemory)
        figures.ooms.push_back({oom.event, oom.requestedBytes, OomEvent::kUnknown});
    if (device.reserved.empty())
        return;
    figures.reservedInitialBytes = device.reserved.front().bytes;
    figures.reservedFinalBytes = device.reserved.back().bytes;
    for (const ReportedTotal& total : device.reserved)
        figures.reservedPeakBytes = std::max(figures.reservedPeakBytes, total.bytes);
}

void countActions(const Trace& trace, const RowRange rows, DeviceFigures& figures)
{
    std::array<std::int64_t, 256> counts{};
    for (std::uint32_t row = rows.first; row < rows.last; ++row)
        ++counts[static_cast<std::size_t>(trace.events.action[row])];
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i])
            figures.actions[std::string(trace.actionName(static_cast<Action>(i)))] += counts[i];
}

/// Returns the time from the first event with a time to the last; nullopt without times.
std::optional<Nanoseconds> timeSpan(const Trace& trace, const RowRange rows)
{
    std::uint32_t first = rows.first;
    std::uint32_t last = rows.last;
    while (first < last && trace.events.time[first] == 0)
        ++first;
    while (last > first && trace.events.time[last - 1] == 0)
        --last;
    if (first == last)
        return std::nullopt;
    return trace.events.time[last - 1] - trace.events.time[first];
}

} // namespace

DeviceFigures deviceFigures(const Trace& trace, DeviceIndex device)
{
    DeviceFigures figures;
    const RowRange rows = trace.devices[device].events;
    figures.eventCount = rows.size();
    countActions(trace, rows, figures);
    addFinalState(trace, device, figures);
    const LiveTotals initialTotals = initialState(trace, device, figures.reservedFinalBytes);
    figures.initialBytes = initialTotals.live;
    figures.initialLiveCount = initialTotals.liveCount;
    figures.reservedInitialBytes = initialTotals.reserved;
    figures.span = timeSpan(trace, rows);
    const LiveTotals finalTotals = EventWalk(trace, device).walk(figures, initialTotals);
    const Device& info = trace.devices[device];
    if (!info.hasFinalSegments)
        addStateWithoutSegments(info, finalTotals, figures);
    else if (info.segmentsRead != Extent::Whole) { // the walk also counts allocations in unread segments
        figures.finalBytes = finalTotals.live;
        figures.finalLiveCount = finalTotals.liveCount;
    }
    if (info.endState)
        addEndState(*info.endState, figures);
    return figures;
}

DeviceFigures convertedFigures(
    const AllocationTable& allocations, const UsageCurve& curve, DeviceFigures figures)
{
    const CurvePeak peak = curve.peak();
    figures.initialBytes = curve.at(-1);
    figures.peakBytes = peak.bytes;
    figures.peakEvent = peak.event;
    figures.peakLiveCount = static_cast<std::int64_t>(allocations.liveAt(peak.event).size());
    const Device& device = allocations.trace().devices[allocations.device()];
    if (!device.endState)
        figures.finalBytes = curve.at(curve.eventCount() - 1);
    else if (allocations.quantity() != device.quantity)
        figures.finalBytes = device.endState->liveBlockBytes;
    return figures;
}

std::optional<DeviceIndex> mainDevice(const Trace& trace, const std::vector<DeviceFigures>& figures)
{
    std::optional<DeviceIndex> chosen;
    const auto onHost = [&](DeviceIndex i) { return trace.devices[i].kind == DeviceKind::HostPinned; };
    for (DeviceIndex i = 0; i < figures.size(); ++i)
        if (!chosen || (onHost(*chosen) && !onHost(i))
            || (onHost(*chosen) == onHost(i) && figures[i].peakBytes > figures[*chosen].peakBytes))
            chosen = i;
    return chosen;
}

} // namespace highwater
