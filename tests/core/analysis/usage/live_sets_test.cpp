#include "core/analysis/usage/live_sets.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

// Events: a 0, b 1, free a 2 and 3, c 4, free old 5; d is never touched.
const char* const kFewEvents = R"(
    alloc a 100
    alloc b 20
    free a
    alloc c 3
    free_once old
    final b
    final c
    final d 5000
)";

using Indices = std::vector<AllocationIndex>;

Bytes liveSetBytes(const Trace& trace, const LiveSetSpec& spec)
{
    const AllocationTable allocations(trace, 0);
    return liveSet(LiveIndex(allocations), spec).total.bytes;
}

} // namespace

TEST(LiveSets, AMomentIsWhatIsLiveRightAfterItsEvent)
{
    const auto trace = test::traceFromText(kFewEvents);
    EXPECT_EQ(
        liveSetBytes(*trace, LiveSetSpec::aliveAt(1)) - liveSetBytes(*trace, LiveSetSpec::aliveAt(-1)), 120);
    EXPECT_EQ(liveSetBytes(*trace, LiveSetSpec::aliveAt(5)), 5023);
}

TEST(LiveSets, BornIsWhatIsAllocatedInTheRange)
{
    const auto trace = test::traceFromText(kFewEvents);
    EXPECT_EQ(liveSetBytes(*trace, {LiveSetKind::Born, 0, 2}), 120);
    EXPECT_EQ(liveSetBytes(*trace, {LiveSetKind::Born, 1, 5}), 23);
    EXPECT_EQ(liveSetBytes(*trace, {LiveSetKind::Born, 2, 4}), 0);
}

TEST(LiveSets, FreedIsWhatIsGivenBackInTheRangeWheneverBorn)
{
    const auto trace = test::traceFromText(kFewEvents);
    EXPECT_EQ(liveSetBytes(*trace, {LiveSetKind::Freed, 1, 5}), 100);
    const AllocationTable allocations(*trace, 0);
    const LiveSet all = liveSet(LiveIndex(allocations), {LiveSetKind::Freed, 0, 6});
    EXPECT_EQ(all.total.count, 2);
}

TEST(LiveSets, SurvivedIsWhatIsBornInTheRangeAndLiveAfterIt)
{
    const auto trace = test::traceFromText(kFewEvents);
    EXPECT_EQ(liveSetBytes(*trace, {LiveSetKind::Survived, 0, 2}), 120);
    EXPECT_EQ(liveSetBytes(*trace, {LiveSetKind::Survived, 0, 5}), 23);
}

TEST(LiveSets, OfARangeAgreeWithItsFigures)
{
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const auto trace = test::randomTrace(seed, {.consistent = seed % 3 != 0});
        const AllocationTable allocations(*trace, 0);
        const UsageCurve curve(*trace, allocations);
        const LiveIndex live(allocations);
        test::Random random(seed);
        for (int i = 0; i < 20; ++i) {
            const std::int64_t first = random.below(300);
            const std::int64_t last = first + 1 + random.below(300 - first);
            const RangeFigures figures = rangeFigures(allocations, curve, first, last);
            EXPECT_EQ(liveSet(live, {LiveSetKind::Born, first, last}).total, figures.born);
            EXPECT_EQ(liveSet(live, {LiveSetKind::Freed, first, last}).total, figures.freed);
            EXPECT_EQ(liveSet(live, {LiveSetKind::Survived, first, last}).total, figures.surviving);
            EXPECT_EQ(liveSet(live, LiveSetSpec::aliveAt(last - 1)).total, figures.atEnd);
        }
    }
}

TEST(LiveSets, OfAMomentAgreeWithTheCurve)
{
    const auto trace = test::randomTrace(5);
    const AllocationTable allocations(*trace, 0);
    const UsageCurve curve(*trace, allocations);
    const LiveIndex live(allocations);
    for (std::int64_t event = -1; event < allocations.eventCount(); ++event)
        EXPECT_EQ(liveSet(live, LiveSetSpec::aliveAt(event)).total.bytes, curve.at(event));
}

TEST(LiveSets, AreInTheOrderOfTheTable)
{
    const auto trace = test::randomTrace(6);
    const AllocationTable allocations(*trace, 0);
    const LiveIndex live(allocations);
    for (const LiveSetKind kind : {LiveSetKind::Born, LiveSetKind::Freed, LiveSetKind::Survived}) {
        const Indices members = liveSet(live, {kind, 20, 200}).allocations;
        EXPECT_TRUE(std::is_sorted(members.begin(), members.end())) << static_cast<int>(kind);
    }
}

TEST(Lifetime, IsCutToTheTrace)
{
    const auto trace = test::traceFromText(kFewEvents);
    const AllocationTable allocations(*trace, 0);
    std::vector<std::int64_t> lifetimes;
    for (AllocationIndex i = 0; i < allocations.size(); ++i)
        lifetimes.push_back(lifetimeInTrace(allocations, i));
    // d is never freed; old is freed by event 5; the free of a is complete at event 3; then b and c
    EXPECT_EQ(lifetimes, (std::vector<std::int64_t>{6, 5, 3, 5, 2}));
}

TEST(LiveSets, SurvivedMayHaveToOutliveALongerRange)
{
    const auto trace = test::traceFromText(kFewEvents);
    EXPECT_EQ(liveSetBytes(*trace, {LiveSetKind::Survived, 0, 2}), 120);
    EXPECT_EQ(liveSetBytes(*trace, {LiveSetKind::Survived, 0, 2, 4}), 20);
}

} // namespace highwater
