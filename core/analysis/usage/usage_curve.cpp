#include "core/analysis/usage/usage_curve.h"

#include <algorithm>

#include "core/base/interruption.h"
#include "core/trace/cut_device.h"

namespace highwater {

UsageCurve::UsageCurve(const Trace& trace, const AllocationTable& allocations)
{
    const DeviceIndex device = allocations.device();
    const std::int64_t events = allocations.eventCount();
    Column<Bytes> changes;
    changes.resize(static_cast<std::size_t>(events) + 1, 0);
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        interruption.round();
        changes[static_cast<std::size_t>(allocations.birth(i) + 1)] += allocations.bytes(i);
        if (allocations.death(i) != AllocationTable::kNeverFreed)
            changes[static_cast<std::size_t>(allocations.death(i)) + 1] -= allocations.bytes(i);
    }
    Bytes live = 0;
    for (const Bytes change : changes)
        m_total.push_back(live += change);
    changes = {};

    buildPyramid();
    if (!trace.devices[device].reserved.empty()) {
        for (const ReportedTotal& total : trace.devices[device].reserved)
            m_reserved.push_back({total.event, total.bytes});
        return;
    }
    Bytes reserved = reservedAtEnd(trace, device);
    for (std::int64_t event = events - 1; event >= 0; --event) {
        const std::size_t row = trace.row(device, event);
        const Action action = trace.events.action[row];
        if (!isReservingAction(action) && !isReleasingAction(action))
            continue;
        m_reserved.push_back({event, reserved});
        reserved -= isReservingAction(action) ? trace.events.size[row] : -trace.events.size[row];
    }
    m_reserved.push_back({-1, reserved});
    std::ranges::reverse(m_reserved);
}

UsageCurve::UsageCurve(const UsageCurve& curve, const std::vector<RemovedBytes>& removed)
    : m_reserved{ReservedChange{-1, 0}}
{
    InterruptionCounter interruption;
    auto next = removed.begin();
    Bytes bytes = 0;
    for (std::int64_t event = -1; event < curve.eventCount(); ++event) {
        interruption.round();
        for (; next != removed.end() && next->event <= event; ++next)
            bytes = next->bytes;
        m_total.push_back(curve.at(event) - bytes);
    }
    buildPyramid();
}

void UsageCurve::buildPyramid()
{
    std::size_t count = m_total.size();
    while (count > kFanOut) {
        const Column<std::uint32_t>* below = m_levels.empty() ? nullptr : &m_levels.back();
        Column<std::uint32_t> level;
        for (std::size_t first = 0; first < count; first += kFanOut) {
            const auto indexAt
                = [&](std::size_t i) { return below ? (*below)[i] : static_cast<std::uint32_t>(i); };
            std::uint32_t largest = indexAt(first);
            for (std::size_t i = first + 1; i < std::min(first + kFanOut, count); ++i)
                if (m_total[indexAt(i)] > m_total[largest])
                    largest = indexAt(i);
            level.push_back(largest);
        }
        count = level.size();
        m_levels.push_back(std::move(level));
    }
}

CurvePeak UsageCurve::larger(CurvePeak largest, std::size_t index) const
{
    const auto event = static_cast<std::int64_t>(index) - 1;
    const Bytes bytes = m_total[index];
    return bytes > largest.bytes || (bytes == largest.bytes && event < largest.event)
        ? CurvePeak{event, bytes}
        : largest;
}

CurvePeak UsageCurve::peak(std::int64_t firstEvent, std::int64_t lastEvent) const
{
    std::size_t first = static_cast<std::size_t>(std::max<std::int64_t>(firstEvent + 1, 0));
    std::size_t last = static_cast<std::size_t>(
        std::clamp<std::int64_t>(lastEvent + 1, static_cast<std::int64_t>(first) + 1, eventCount() + 1));
    first = std::min(first, last - 1);
    CurvePeak largest{static_cast<std::int64_t>(first) - 1, m_total[first]};
    // Climbs the pyramid: each level includes the entries at both ends that do not fill a node, and the next
    // level continues with the nodes in between.
    std::size_t level = 0;
    const auto include
        = [&](std::size_t i) { largest = larger(largest, level == 0 ? i : m_levels[level - 1][i]); };
    while (first < last) {
        const std::size_t firstNode = (first + kFanOut - 1) / kFanOut;
        const std::size_t endNode = last / kFanOut;
        if (firstNode >= endNode || level == m_levels.size()) {
            for (std::size_t i = first; i < last; ++i)
                include(i);
            break;
        }
        for (std::size_t i = first; i < firstNode * kFanOut; ++i)
            include(i);
        for (std::size_t i = endNode * kFanOut; i < last; ++i)
            include(i);
        first = firstNode;
        last = endNode;
        ++level;
    }
    return largest;
}

std::optional<Bytes> UsageCurve::reservedAt(std::int64_t event) const
{
    const auto after = std::ranges::upper_bound(m_reserved, event, {}, &ReservedChange::event);
    return after == m_reserved.begin() ? std::nullopt : std::optional((after - 1)->bytes);
}

Bytes UsageCurve::reservedPeak() const
{
    return std::ranges::max_element(m_reserved, {}, &ReservedChange::bytes)->bytes;
}

std::size_t UsageCurve::memoryBytes() const
{
    std::size_t bytes = m_total.memoryBytes() + m_reserved.size() * sizeof(ReservedChange);
    for (const Column<std::uint32_t>& level : m_levels)
        bytes += level.memoryBytes();
    return bytes;
}

} // namespace highwater
