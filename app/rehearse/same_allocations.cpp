#include "app/rehearse/same_allocations.h"

#include <algorithm>

#include "core/analysis/stacks/call_site.h"

namespace highwater::rehearse {

namespace {

/// Iterates over the allocations of a device, and keeps the peak of the live bytes so far.
class AllocationCursor
{
public:
    AllocationCursor(const Trace& trace, DeviceIndex device)
        : m_trace(trace)
        , m_device(device)
    {
    }

    /// Moves to the next allocation; returns false if there is none.
    bool next()
    {
        for (++m_event; m_event < m_trace.eventCount(m_device); ++m_event) {
            const Action action = m_trace.events.action[row()];
            if (isFreeAction(action))
                m_live -= size();
            if (isAllocationAction(action)) {
                m_live += size();
                m_peak = std::max(m_peak, m_live);
                return true;
            }
        }
        return false;
    }

    Bytes size() const { return m_trace.events.size[row()]; }
    Bytes peak() const { return m_peak; }
    AllocationDifference difference() const { return {requesterText(m_trace, m_trace.events.stack[row()])}; }

private:
    std::size_t row() const { return m_trace.row(m_device, m_event); }

    const Trace& m_trace;
    DeviceIndex m_device;
    std::int64_t m_event = -1;
    Bytes m_live = 0;
    Bytes m_peak = 0;
};

/// Returns the first difference on one device; nullopt if there is none.
std::optional<AllocationDifference> differenceOn(const Trace& first, const Trace& second, DeviceIndex device)
{
    AllocationCursor firstCursor(first, device);
    AllocationCursor secondCursor(second, device);
    for (;;) {
        const bool hasFirst = firstCursor.next();
        const bool hasSecond = secondCursor.next();
        if (!hasFirst && !hasSecond)
            return firstCursor.peak() == secondCursor.peak() ? std::nullopt
                                                             : std::optional(AllocationDifference{});
        if (!hasFirst || !hasSecond || firstCursor.size() != secondCursor.size())
            return hasFirst ? firstCursor.difference() : secondCursor.difference();
    }
}

} // namespace

std::optional<AllocationDifference> firstDifference(const Trace& first, const Trace& second)
{
    if (first.devices.size() != second.devices.size())
        return AllocationDifference{};
    for (DeviceIndex device = 0; device < first.devices.size(); ++device)
        if (const auto difference = differenceOn(first, second, device))
            return difference;
    return std::nullopt;
}

} // namespace highwater::rehearse
