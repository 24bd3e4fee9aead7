#include "core/analysis/usage/live_spans.h"

#include <gtest/gtest.h>

#include "tests/support/crowded_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

using Spans = std::vector<LiveSpan>;

/// Computes the spans allocation by allocation, by asking the table at each event.
Spans slowSpans(const AllocationTable& table, const std::vector<std::int64_t>& events)
{
    Spans spans;
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        LiveSpan span{i, 0, 0};
        for (std::uint32_t at = 0; at < events.size(); ++at) {
            if (!table.isLiveAt(i, events[at]))
                continue;
            span.first = span.last == 0 ? at : span.first;
            span.last = at + 1;
        }
        if (span.last > 0)
            spans.push_back(span);
    }
    return spans;
}

} // namespace

TEST(LiveSpans, SayWhichMomentsEachAllocationIsLiveAt)
{
    const auto trace = test::traceFromText("alloc a 1\nalloc b 2\nfree_once a\nalloc c 3\nfinal d 4\nend");
    const AllocationTable table(*trace, 0); // d, a, b, c
    EXPECT_EQ(liveSpans(LiveIndex(table), std::vector<std::int64_t>{-1, 1, 3}),
        (Spans{{0, 0, 3}, {1, 1, 2}, {2, 1, 3}, {3, 2, 3}}));
}

TEST(LiveSpans, LeaveOutWhatIsLiveBetweenTheMomentsOnly)
{
    const auto trace = test::traceFromText("alloc a 1\nalloc b 2\nfree_once b\nend");
    const AllocationTable table(*trace, 0);
    EXPECT_EQ(liveSpans(LiveIndex(table), std::vector<std::int64_t>{0, 2}), (Spans{{0, 0, 2}}));
}

TEST(LiveSpans, OfNoMomentsAreNone)
{
    const auto trace = test::traceFromText("alloc a 1\nend");
    const AllocationTable table(*trace, 0);
    EXPECT_TRUE(liveSpans(LiveIndex(table), {}).empty());
}

TEST(LiveSpans, AgreeWithTheTable)
{
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const auto trace = seed % 2 ? test::randomTrace(seed, {.events = 600, .consistent = seed % 3 != 0})
                                    : test::crowdedTrace(seed, 500);
        const AllocationTable table(*trace, 0);
        test::Random random(seed);
        const std::vector<std::int64_t> events = test::someEvents(random, table.eventCount());
        ASSERT_EQ(liveSpans(LiveIndex(table), events), slowSpans(table, events)) << "seed " << seed;
    }
}

TEST(LiveSpans, AgreeWithTheTableAcrossCheckpoints)
{
    const auto trace = test::crowdedTrace(3, 20'000);
    const AllocationTable table(*trace, 0);
    for (const std::int64_t first : {-1, 3000, 9000, 21'000}) {
        const std::vector<std::int64_t> events = {first, first + 8300, first + 13'000};
        ASSERT_EQ(liveSpans(LiveIndex(table), events), slowSpans(table, events)) << "from " << first;
    }
}

} // namespace highwater
