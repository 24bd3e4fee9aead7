#include "importers/memory_timeline/ledger_events.h"

#include <array>
#include <string_view>

namespace highwater::memory_timeline {

namespace {

/// Names of the categories, in the order that the files use.
constexpr std::array<std::string_view, kTimelineCategoryCount> kNames = {"PARAMETER", "OPTIMIZER_STATE",
    "INPUT", "TEMPORARY", "ACTIVATION", "GRADIENT", "AUTOGRAD_DETAIL", "Unknown"};

/// The intervals of each moment. Intervals whose moment is TensorLedger::kNever belong to none.
class IntervalsByMoment
{
public:
    template <typename MomentOf>
    IntervalsByMoment(const Column<Interval>& intervals, std::size_t momentCount, MomentOf momentOf)
    {
        m_first.resize(momentCount + 1, 0);
        for (const Interval& interval : intervals)
            if (momentOf(interval) < momentCount)
                ++m_first[momentOf(interval) + 1u];
        for (std::size_t moment = 0; moment < momentCount; ++moment)
            m_first[moment + 1] += m_first[moment];
        m_intervals.resizeForOverwrite(m_first[momentCount]);
        Column<std::uint32_t> next;
        next.resizeForOverwrite(momentCount);
        for (std::size_t moment = 0; moment < momentCount; ++moment)
            next[moment] = m_first[moment];
        for (std::uint32_t i = 0; i < intervals.size(); ++i)
            if (const std::uint32_t moment = momentOf(intervals[i]); moment < momentCount)
                m_intervals[next[moment]++] = i;
    }

    template <typename TakeInterval>
    void forEach(std::size_t moment, TakeInterval takeInterval) const
    {
        for (std::uint32_t i = m_first[moment]; i < m_first[moment + 1]; ++i)
            takeInterval(m_intervals[i]);
    }

private:
    Column<std::uint32_t>
        m_first; ///< where the intervals of each moment begin in `m_intervals`, and where the last end
    Column<std::uint32_t> m_intervals; ///< their indices, by moment
};

} // namespace

void addEvents(const TensorLedger& ledger, DeviceIndex device, TraceBuilder& builder)
{
    const Column<Interval>& intervals = ledger.intervals();
    const std::size_t momentCount = ledger.times().size() + 1;
    const IntervalsByMoment births(
        intervals, momentCount, [](const Interval& interval) { return interval.birth; });
    const IntervalsByMoment deaths(
        intervals, momentCount, [](const Interval& interval) { return interval.death; });
    std::array<StringId, kTimelineCategoryCount> names;
    for (std::size_t category = 0; category < kTimelineCategoryCount; ++category)
        names[category] = builder.strings().intern(kNames[category]);
    const auto first = static_cast<std::uint32_t>(builder.eventCount());
    const auto write = [&](Action action, std::uint32_t index, Nanoseconds time) {
        MemoryEvent event;
        event.action = action;
        event.address = Address{index} + 1;
        event.size = intervals[index].bytes;
        event.time = time;
        event.category = names[intervals[index].category];
        builder.addEvent(event);
    };
    // Older memory that is freed later has a Free without an Alloc.
    births.forEach(0, [&](std::uint32_t index) {
        if (intervals[index].death == TensorLedger::kNever)
            builder.addBlockFromBeforeRecording(
                device, intervals[index].bytes, names[intervals[index].category], {});
    });
    for (std::size_t moment = 1; moment < momentCount; ++moment) {
        const Nanoseconds time = ledger.times()[moment - 1];
        deaths.forEach(moment, [&](std::uint32_t index) { write(Action::Free, index, time); });
        births.forEach(moment, [&](std::uint32_t index) { write(Action::Alloc, index, time); });
    }
    builder.assignEvents(device, {{first, static_cast<std::uint32_t>(builder.eventCount())}});
}

} // namespace highwater::memory_timeline
