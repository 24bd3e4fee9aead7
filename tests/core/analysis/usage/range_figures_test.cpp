#include "core/analysis/usage/range_figures.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

RangeFigures rangeFiguresOf(const Trace& trace, std::int64_t first, std::int64_t last)
{
    const AllocationTable allocations(trace, 0);
    return rangeFigures(allocations, UsageCurve(trace, allocations), first, last);
}

} // namespace

TEST(RangeFigures, TellWhatWasBornFreedAndLeft)
{
    const auto trace = test::traceFromText("alloc before 1\nalloc both 20\nalloc stays 300\nfree_once "
                                           "before\nfree_once both\nfinal stays\nfinal old 4000");
    const RangeFigures f = rangeFiguresOf(*trace, 1, 5);
    EXPECT_EQ(f.atBegin, (CountedBytes{2, 4001}));
    EXPECT_EQ(f.born, (CountedBytes{2, 320}));
    EXPECT_EQ(f.freed, (CountedBytes{2, 21}));
    EXPECT_EQ(f.bornAndFreed, (CountedBytes{1, 20}));
    EXPECT_EQ(f.surviving, (CountedBytes{1, 300}));
    EXPECT_EQ(f.atEnd, (CountedBytes{2, 4300}));
    EXPECT_EQ(f.peak.event, 2);
    EXPECT_EQ(f.peak.bytes, 4321);
}

TEST(RangeFigures, AddUpInAnyRange)
{
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const auto trace = test::randomTrace(seed, {.consistent = seed % 2 == 0});
        const AllocationTable allocations(*trace, 0);
        const UsageCurve curve(*trace, allocations);
        test::Random random(seed);
        for (int i = 0; i < 60; ++i) {
            const std::int64_t first = random.below(curve.eventCount());
            const std::int64_t last = first + 1 + random.below(curve.eventCount() - first);
            const RangeFigures f = rangeFigures(allocations, curve, first, last);
            ASSERT_EQ(f.atBegin.bytes + f.born.bytes - f.freed.bytes, f.atEnd.bytes);
            ASSERT_EQ(f.atBegin.count + f.born.count - f.freed.count, f.atEnd.count);
            ASSERT_EQ(f.born.bytes, f.bornAndFreed.bytes + f.surviving.bytes);
            ASSERT_EQ(f.atBegin.bytes, curve.at(first - 1));
            ASSERT_EQ(f.atEnd.bytes, curve.at(last - 1));
        }
    }
}

} // namespace highwater
