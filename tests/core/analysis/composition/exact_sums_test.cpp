// Checks the basic rules on random traces: numbers are exact and add up.
#include <map>

#include <gtest/gtest.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/usage/usage_curve.h"
#include "tests/support/random_trace.h"

namespace highwater {

namespace {

constexpr GroupKey kSummedKeys[] = {GroupKey::Stack, GroupKey::Site, GroupKey::Function, GroupKey::File,
    GroupKey::Size, GroupKey::Stream, GroupKey::Pool, GroupKey::Allocation};

using AddressMap = std::map<Address, Bytes>;

Bytes totalOf(const AddressMap& live)
{
    Bytes sum = 0;
    for (const auto& [address, bytes] : live)
        sum += bytes;
    return sum;
}

AddressMap liveAtEnd(const Trace& trace)
{
    AddressMap live;
    for (const Block& block : trace.segments.blocks)
        if (block.isLive())
            live[block.address] = block.requestedSize;
    return live;
}

/// Undoes the events from the end down to `event`, but not that one. This is the definition of
/// `initial_bytes`.
AddressMap undoneTo(const Trace& trace, std::int64_t event)
{
    AddressMap live = liveAtEnd(trace);
    for (std::int64_t i = trace.eventCount(0) - 1; i > event; --i) {
        const MemoryEvent row = trace.events.row(trace.row(0, i));
        if (isFreeAction(row.action))
            live[row.address] = row.size;
        else if (isAllocationAction(row.action))
            live.erase(row.address);
    }
    return live;
}

class OnRandomTraces : public testing::TestWithParam<std::uint32_t>
{
protected:
    /// Odd seeds give inconsistent traces.
    std::shared_ptr<const Trace> trace
        = test::randomTrace(GetParam(), {.events = 400, .consistent = GetParam() % 2 == 0});
    AllocationTable allocations{*trace, 0};
    UsageCurve curve{*trace, allocations};
};

class OnConsistentTraces : public OnRandomTraces
{
};

} // namespace

TEST_P(OnRandomTraces, AnyGroupingSumsToTheTotalAtAnyEvent)
{
    const CallSites sites(*trace, allocations);
    for (std::int64_t event = -1; event < trace->eventCount(0); event += 37)
        for (const GroupKey key : kSummedKeys) {
            const Composition composition = compositionAt(*trace, allocations, sites, event, key);
            Bytes bytes = 0;
            std::int64_t count = 0;
            for (const CompositionGroup& group : composition.groups) {
                bytes += group.bytes;
                count += group.count;
            }
            ASSERT_EQ(bytes, curve.at(event)) << toText(key) << " at " << event;
            ASSERT_EQ(composition.bytes, curve.at(event));
            ASSERT_EQ(count, composition.count);
        }
}

TEST_P(OnRandomTraces, ThePeakDoesNotDependOnHowTheRangeIsSplit)
{
    test::Random random(GetParam());
    for (int i = 0; i < 20; ++i) {
        const std::int64_t middle = random.below(trace->eventCount(0));
        const CurvePeak left = curve.peak(-1, middle);
        const CurvePeak right = curve.peak(middle, trace->eventCount(0));
        const CurvePeak better = right.bytes > left.bytes ? right : left;
        ASSERT_EQ(better.event, curve.peak().event);
        ASSERT_EQ(better.bytes, curve.peak().bytes);
    }
}

TEST_P(OnRandomTraces, TheCurveAndTheFiguresAgree)
{
    const DeviceFigures figures = deviceFigures(*trace, 0);
    EXPECT_EQ(figures.peakBytes, curve.peak().bytes);
    EXPECT_EQ(figures.peakEvent, curve.peak().event);
    EXPECT_EQ(figures.initialBytes, curve.at(-1));
    EXPECT_EQ(figures.initialLiveCount, static_cast<std::int64_t>(allocations.olderCount()));
    EXPECT_EQ(figures.peakLiveCount, static_cast<std::int64_t>(allocations.liveAt(figures.peakEvent).size()));
    EXPECT_EQ(figures.reservedPeakBytes, curve.reservedPeak());
    EXPECT_EQ(figures.reservedInitialBytes, curve.reservedAt(-1));
}

INSTANTIATE_TEST_SUITE_P(Seeds, OnRandomTraces, testing::Range(0u, 16u));

TEST_P(OnConsistentTraces, UndoingFromTheEndGivesTheFigures)
{
    const DeviceFigures figures = deviceFigures(*trace, 0);
    const AddressMap initial = undoneTo(*trace, -1);
    EXPECT_EQ(figures.initialBytes, totalOf(initial));
    EXPECT_EQ(figures.initialLiveCount, static_cast<std::int64_t>(initial.size()));
    EXPECT_EQ(figures.finalBytes, totalOf(liveAtEnd(*trace)));
    EXPECT_EQ(figures.finalBytes, curve.at(trace->eventCount(0) - 1));
    const AddressMap atPeak = undoneTo(*trace, figures.peakEvent);
    EXPECT_EQ(figures.peakBytes, totalOf(atPeak));
    EXPECT_EQ(figures.peakLiveCount, static_cast<std::int64_t>(atPeak.size()));
}

TEST_P(OnConsistentTraces, UndoingFromTheEndGivesWhatIsLiveAtAnyEvent)
{
    for (std::int64_t event = -1; event < trace->eventCount(0); event += 29) {
        AddressMap live;
        for (const AllocationIndex i : allocations.liveAt(event))
            live[allocations.address(i)] = allocations.bytes(i);
        ASSERT_EQ(live, undoneTo(*trace, event)) << event;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, OnConsistentTraces, testing::Range(100u, 130u, 2u));

} // namespace highwater
