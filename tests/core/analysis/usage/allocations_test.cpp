#include "core/analysis/usage/allocations.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

constexpr std::int32_t kBeforeTrace = AllocationTable::kBeforeTrace;
constexpr std::int32_t kNeverFreed = AllocationTable::kNeverFreed;

} // namespace

TEST(AllocationTable, HoldsBirthDeathAndSize)
{
    const auto trace = test::traceFromText("alloc a 100\nalloc b 200\nfree a\nend");
    const AllocationTable table(*trace, 0);
    ASSERT_EQ(table.size(), 2u);
    EXPECT_EQ(table.birth(0), 0);
    EXPECT_EQ(table.death(0), 3);
    EXPECT_EQ(table.bytes(0), 100);
    EXPECT_EQ(table.death(1), kNeverFreed);
}

TEST(AllocationTable, StacksOlderOnesThatAreNeverFreedFirstByAddress)
{
    // Names get ascending addresses; the blocks have another order.
    const auto trace = test::traceFromText("free_once low\nfinal c 3\nfinal a 1\nfinal b 2");
    const AllocationTable table(*trace, 0);
    ASSERT_EQ(table.size(), 4u);
    EXPECT_EQ(table.olderCount(), 4u);
    EXPECT_EQ(table.address(0), test::addressOfName(1)); // c
    EXPECT_EQ(table.address(1), test::addressOfName(2)); // a
    EXPECT_EQ(table.address(2), test::addressOfName(3)); // b
    EXPECT_EQ(table.death(3), 0);
}

TEST(AllocationTable, StacksOlderOnesThatAreFreedByLastFreeFirst)
{
    const auto trace = test::traceFromText("free_once early\nfree_once late\nalloc n 5\nend");
    const AllocationTable table(*trace, 0);
    ASSERT_EQ(table.size(), 3u);
    EXPECT_EQ(table.death(0), 1);
    EXPECT_EQ(table.death(1), 0);
    EXPECT_EQ(table.birth(2), 2);
}

TEST(AllocationTable, StacksTheRestByBirth)
{
    const auto trace = test::traceFromText("alloc z 1\nalloc y 2\nfree y\nalloc x 3\nend");
    const AllocationTable table(*trace, 0);
    ASSERT_EQ(table.size(), 3u);
    EXPECT_EQ(table.bytes(0), 1);
    EXPECT_EQ(table.bytes(1), 2);
    EXPECT_EQ(table.bytes(2), 3);
}

TEST(AllocationTable, EndsAnAllocationWhoseFreeWasLostAtTheNextAllocOfItsAddress)
{
    const auto trace = test::traceFromText("alloc a 1\nalloc a 2\nend");
    const AllocationTable table(*trace, 0);
    EXPECT_EQ(table.death(0), 1);
    EXPECT_EQ(table.liveAt(1), (std::vector<AllocationIndex>{1}));
}

TEST(AllocationTable, IgnoresAFreeOfNothing)
{
    const auto trace = test::traceFromText("alloc a 1\nfree_once a\nfree_once a");
    EXPECT_EQ(AllocationTable(*trace, 0).size(), 1u);
}

TEST(AllocationTable, SaysWhatIsLiveRightAfterAnEvent)
{
    const auto trace = test::traceFromText("alloc a 1\nalloc b 2\nfree_once a\nfinal b\nfinal old 9");
    const AllocationTable table(*trace, 0); // 0: old, 1: a, 2: b
    using Live = std::vector<AllocationIndex>;
    EXPECT_EQ(table.liveAt(-1), (Live{0}));
    EXPECT_EQ(table.liveAt(0), (Live{0, 1}));
    EXPECT_EQ(table.liveAt(1), (Live{0, 1, 2}));
    EXPECT_EQ(table.liveAt(2), (Live{0, 2}));
}

TEST(AllocationTable, FindsTheAllocationOfAnEvent)
{
    const auto trace
        = test::traceFromText("free_once o1\nfree_once o2\nalloc a 1\nfree a\nfree_once a\noom 5 6");
    const AllocationTable table(*trace, 0); // 0: o2, 1: o1, 2: a
    EXPECT_EQ(table.ofEvent(0), 1u);
    EXPECT_EQ(table.ofEvent(1), 0u);
    EXPECT_EQ(table.ofEvent(2), 2u);
    EXPECT_EQ(table.ofEvent(3), AllocationTable::kNoAllocation); // free_requested does not end anything yet
    EXPECT_EQ(table.ofEvent(4), 2u);
    EXPECT_EQ(table.ofEvent(5), AllocationTable::kNoAllocation); // a free without an allocation
    EXPECT_EQ(table.ofEvent(6), AllocationTable::kNoAllocation);
}

TEST(AllocationTable, FindsTheAllocationOfEveryEventOfRandomTraces)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const auto trace = test::randomTrace(seed);
        const AllocationTable table(*trace, 0);
        for (AllocationIndex i = 0; i < table.size(); ++i) {
            if (table.birth(i) != kBeforeTrace) {
                ASSERT_EQ(table.ofEvent(table.birth(i)), i);
            }
            if (table.death(i) != kNeverFreed) {
                ASSERT_EQ(table.ofEvent(table.death(i)), i);
            }
        }
    }
}

TEST(AllocationTable, KnowsTheBlockOfWhatIsStillThere)
{
    const auto trace = test::traceFromText("alloc a 100\nalloc b 700\nfree_once a\nend\nfinal old 513");
    const AllocationTable table(*trace, 0); // 0: old, 1: a, 2: b
    EXPECT_EQ(table.blockBytes(0), 1024);
    EXPECT_EQ(table.blockBytes(1), -1);
    EXPECT_EQ(table.blockBytes(2), 1024);
}

TEST(AllocationTable, TakesTheStackOfAnOlderAllocationFromItsBlock)
{
    const auto trace = test::traceFromText("stack s = a.py:1 make\nalloc a 1\nend\nfinal old 9 @s");
    const AllocationTable table(*trace, 0);
    EXPECT_EQ(table.stackOrigin(0), StackOrigin::Block);
    EXPECT_TRUE(trace->stacks.hasFrames(table.stack(0)));
    EXPECT_EQ(table.stackOrigin(1), StackOrigin::Allocation);
}

TEST(AllocationTable, TakesAFreesStackAsThatOfTheFreeWhereBothAreRecorded)
{
    const auto trace = test::traceFromText(
        "stack s = a.py:1 make\nstack f = a.py:9 drop\nfree_once old @f\nalloc a 1 @s\nfree_once a @f");
    const AllocationTable table(*trace, 0);
    EXPECT_EQ(table.stackOrigin(0), StackOrigin::Free);
}

TEST(AllocationTable, TakesAFreesStackAsThatOfTheAllocationWhereFreesRepeatIt)
{
    const auto trace = test::traceFromText(
        "stack s = a.py:1 make\nstack o = a.py:2 other\nfree_once old @o\nalloc a 1 @s\nfree_once a @s");
    const AllocationTable table(*trace, 0);
    EXPECT_EQ(table.stackOrigin(0), StackOrigin::Allocation);
}

TEST(AllocationTable, DoesNotGuessTheModeOfFreesWithoutPairs)
{
    const auto trace = test::traceFromText("stack o = a.py:2 other\nfree_once old @o");
    EXPECT_EQ(AllocationTable(*trace, 0).stackOrigin(0), StackOrigin::Free);
}

TEST(AllocationTable, TakesStreamAndPoolFromTheEventElseFromTheSegment)
{
    const auto trace
        = test::traceFromText("alloc a 1 stream=7 pool=0,1\nalloc b 2 stream=7\nfinal a 1 stream=9 "
                              "pool=0,2\nfinal b 2 stream=9 pool=0,2\nfinal old 3 stream=9 pool=0,2");
    const AllocationTable table(*trace, 0); // 0: old, 1: a, 2: b
    const auto handle = [&](AllocationIndex i) { return trace->streams[table.stream(i).index()]; };
    EXPECT_EQ(handle(0), 9);
    EXPECT_EQ(handle(1), 7);
    EXPECT_EQ(trace->poolLabel(table.pool(0)), "private pool (0, 2)");
    EXPECT_EQ(trace->poolLabel(table.pool(1)), "private pool (0, 1)");
    EXPECT_EQ(trace->poolLabel(table.pool(2)), "private pool (0, 2)");
}

TEST(AllocationTable, IsSortedByBirth)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const auto trace = test::randomTrace(seed, {.consistent = seed % 2 == 0});
        const AllocationTable table(*trace, 0);
        EXPECT_TRUE(std::is_sorted(table.births().begin(), table.births().end()));
    }
}

TEST(AllocationTable, KnowsTheBlocksThatTheSnapshotStillHas)
{
    const auto trace = test::traceFromText("alloc a 100\nalloc b 1000\nfree_once b\nfinal a\nfinal old 700");
    const AllocationTable table(*trace, 0, Quantity::Allocated); // 0: old, 1: a, 2: b
    EXPECT_EQ(table.quantity(), Quantity::Allocated);
    EXPECT_EQ(table.bytes(0), 1024);
    EXPECT_EQ(table.bytes(1), 512);
    EXPECT_FALSE(table.isInferred(0));
    EXPECT_FALSE(table.isInferred(1));
}

TEST(AllocationTable, InfersTheBlocksThatAreGone)
{
    const auto trace = test::traceFromText("alloc a 1000\nfree_once a\nfree_once older");
    const AllocationTable table(*trace, 0, Quantity::Allocated); // 0: older, 1: a
    EXPECT_EQ(table.bytes(1), 1024);
    EXPECT_TRUE(table.isInferred(0));
    EXPECT_TRUE(table.isInferred(1));
    EXPECT_TRUE(table.hasInferred());
}

TEST(AllocationTable, InfersNothingInItsOwnQuantity)
{
    const auto trace = test::traceFromText("alloc a 1000\nfree_once a");
    const AllocationTable table(*trace, 0);
    EXPECT_EQ(table.quantity(), Quantity::Requested);
    EXPECT_FALSE(table.hasInferred());
    EXPECT_FALSE(table.isInferred(0));
}

TEST(AllocationTable, DoesNotTakeAnInactiveBlockForTheAllocations)
{
    const auto trace = test::traceFromText("alloc a 100\ncached a 2MiB");
    const AllocationTable table(*trace, 0, Quantity::Allocated);
    EXPECT_EQ(table.blockBytes(0), -1);
    EXPECT_EQ(table.bytes(0), 512);
    EXPECT_TRUE(table.isInferred(0));
}

TEST(AllocationTable, HasTheSameOrderInEveryQuantity)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const auto trace = test::randomTrace(seed, {.consistent = seed % 2 == 0});
        const AllocationTable requested(*trace, 0);
        const AllocationTable allocated(*trace, 0, Quantity::Allocated);
        ASSERT_EQ(allocated.size(), requested.size());
        EXPECT_TRUE(std::ranges::equal(allocated.births(), requested.births()));
        EXPECT_TRUE(std::ranges::equal(allocated.deaths(), requested.deaths()));
        for (AllocationIndex i = 0; i < requested.size(); ++i)
            ASSERT_EQ(allocated.address(i), requested.address(i));
    }
}

} // namespace highwater
