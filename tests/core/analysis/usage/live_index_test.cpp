#include "core/analysis/usage/live_index.h"

#include <gtest/gtest.h>

#include "tests/support/crowded_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

std::vector<AllocationIndex> liveAt(const LiveIndex& index, std::int64_t event)
{
    std::vector<AllocationIndex> live = {99}; // the previous contents must not matter
    index.liveAt(event, live);
    return live;
}

} // namespace

TEST(LiveIndex, AgreesWithTheTableAtEveryEvent)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const auto trace = test::randomTrace(seed, {.events = 250, .consistent = seed % 3 != 0});
        const AllocationTable table(*trace, 0);
        const LiveIndex index(table);
        for (std::int64_t event = -1; event < table.eventCount(); ++event)
            ASSERT_EQ(liveAt(index, event), table.liveAt(event)) << "seed " << seed << " event " << event;
    }
}

TEST(LiveIndex, AgreesWithTheTableAcrossCheckpoints)
{
    const auto trace = test::randomTrace(77, {.events = 30'000});
    const AllocationTable table(*trace, 0);
    ASSERT_GT(table.size(), 8500u); // more than two checkpoints
    const LiveIndex index(table);
    test::Random random(5);
    for (int i = 0; i < 200; ++i) {
        const std::int64_t event = random.below(table.eventCount() + 1) - 1;
        ASSERT_EQ(liveAt(index, event), table.liveAt(event)) << event;
    }
}

TEST(LiveIndex, AgreesWithTheTableRightAroundACheckpoint)
{
    const auto trace = test::randomTrace(78, {.events = 30'000});
    const AllocationTable table(*trace, 0);
    const LiveIndex index(table);
    const auto at = static_cast<AllocationIndex>(table.olderCount() + 4096);
    for (AllocationIndex i = at - 3; i < at + 3; ++i)
        for (std::int64_t event : {table.birth(i) - 1, table.birth(i), table.birth(i) + 1})
            ASSERT_EQ(liveAt(index, event), table.liveAt(event)) << event;
}

TEST(LiveIndex, AdvancesToTheSameAsLookingUp)
{
    const auto trace = test::randomTrace(79, {.events = 30'000});
    const AllocationTable table(*trace, 0);
    const LiveIndex index(table);
    test::Random random(6);
    std::vector<AllocationIndex> live;
    std::int64_t event = -1;
    index.liveAt(event, live);
    while (event < table.eventCount() - 1) {
        const std::int64_t step = random.oneIn(10) ? random.below(12'000) : random.below(200);
        const std::int64_t next = std::min(event + step, table.eventCount() - 1);
        index.advance(event, next, live);
        event = next;
        ASSERT_EQ(live, table.liveAt(event)) << event;
    }
}

TEST(LiveIndex, AgreesWithTheTableWhereCheckpointsAreFarApart)
{
    const auto trace = test::crowdedTrace(80, 40'000);
    const AllocationTable table(*trace, 0);
    const LiveIndex index(table);
    test::Random random(7);
    for (int i = 0; i < 60; ++i) {
        const std::int64_t event = random.below(table.eventCount() + 1) - 1;
        ASSERT_EQ(liveAt(index, event), table.liveAt(event)) << event;
    }
}

TEST(LiveIndex, AppendsWhatIsBornSinceAndStillLive)
{
    const auto trace = test::crowdedTrace(81, 30'000);
    const AllocationTable table(*trace, 0);
    const LiveIndex index(table);
    test::Random random(8);
    for (int i = 0; i < 60; ++i) {
        const std::int64_t to = random.below(table.eventCount());
        const std::int64_t from = random.below(to + 2) - 1;
        std::vector<AllocationIndex> fresh = {99};
        index.appendBornSince(from, to, fresh);
        std::vector<AllocationIndex> wanted = table.liveAt(to);
        std::erase_if(wanted, [&](AllocationIndex at) { return table.birth(at) <= from; });
        wanted.insert(wanted.begin(), 99);
        ASSERT_EQ(fresh, wanted) << from << " to " << to;
    }
}

/// Memory must not depend on how much is live, or for how long.
TEST(LiveIndex, TakesMemoryForTwoEntriesAnAllocationAtMost)
{
    for (const std::int64_t live : {2'000, 50'000, 200'000}) {
        const auto trace = test::crowdedTrace(82, live);
        const AllocationTable table(*trace, 0);
        EXPECT_LE(LiveIndex(table).memoryBytes(), 2 * sizeof(AllocationIndex) * table.size() + 4096) << live;
    }
}

TEST(LiveIndex, OfNothingIsEmpty)
{
    const auto trace = test::traceFromText("device 0");
    const AllocationTable table(*trace, 0);
    EXPECT_TRUE(liveAt(LiveIndex(table), -1).empty());
}

TEST(LiveIndex, KnowsWhatLivesThroughATraceWithoutEvents)
{
    const auto trace = test::traceFromText("final a 5\nfinal b 6");
    const AllocationTable table(*trace, 0);
    EXPECT_EQ(liveAt(LiveIndex(table), -1), (std::vector<AllocationIndex>{0, 1}));
}

} // namespace highwater
