#include "core/analysis/usage/usage_curve.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

CurvePeak slowPeak(const UsageCurve& curve, std::int64_t first, std::int64_t last)
{
    CurvePeak best{first, curve.at(first)};
    for (std::int64_t event = first + 1; event < last; ++event)
        if (curve.at(event) > best.bytes)
            best = {event, curve.at(event)};
    return best;
}

struct Curve
{
    explicit Curve(std::shared_ptr<const Trace> of)
        : trace(std::move(of))
        , allocations(*trace, 0)
        , curve(*trace, allocations)
    {
    }
    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    UsageCurve curve;
};

} // namespace

TEST(UsageCurve, IsTheSumOfWhatIsLiveAfterEachEvent)
{
    const Curve c(test::traceFromText("alloc a 10\nalloc b 5\nfree_once a\nfinal b\nfinal old 100"));
    EXPECT_EQ(c.curve.at(-1), 100);
    EXPECT_EQ(c.curve.at(0), 110);
    EXPECT_EQ(c.curve.at(1), 115);
    EXPECT_EQ(c.curve.at(2), 105);
}

TEST(UsageCurve, PeaksAtTheFirstEventThatReachesTheLargestTotal)
{
    const Curve c(test::traceFromText("alloc a 10\nfree_once a\nalloc b 10\nend"));
    EXPECT_EQ(c.curve.peak().event, 0);
    EXPECT_EQ(c.curve.peak().bytes, 10);
}

TEST(UsageCurve, PeaksBeforeTheFirstEventWhenItOnlyFalls)
{
    const Curve c(test::traceFromText("free_once a\nfinal old 10"));
    EXPECT_EQ(c.curve.peak().event, -1);
}

TEST(UsageCurve, OfATraceWithoutEventsIsOneMoment)
{
    const Curve c(test::traceFromText("final old 10"));
    EXPECT_EQ(c.curve.eventCount(), 0);
    EXPECT_EQ(c.curve.peak().event, -1);
    EXPECT_EQ(c.curve.peak().bytes, 10);
}

class UsageCurveOfLength : public testing::TestWithParam<std::int64_t>
{
};

TEST_P(UsageCurveOfLength, FindsThePeakOfAnyRange)
{
    const std::int64_t events = GetParam();
    const Curve c(test::randomTrace(7, {.events = events, .maxBytes = 40}));
    test::Random random(11);
    for (int i = 0; i < 400; ++i) {
        const std::int64_t first = random.below(events + 1) - 1;
        const std::int64_t last = first + 1 + random.below(events - first);
        const CurvePeak found = c.curve.peak(first, last);
        const CurvePeak wanted = slowPeak(c.curve, first, last);
        ASSERT_EQ(found.event, wanted.event) << '[' << first << ", " << last << ')';
        ASSERT_EQ(found.bytes, wanted.bytes);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Lengths, UsageCurveOfLength, testing::Values(1, 2, 62, 63, 64, 65, 1000, 4095, 4097, 9000));

TEST(UsageCurve, GivesTheMomentItselfForAnEmptyRange)
{
    const Curve c(test::randomTrace(3, {.events = 100}));
    EXPECT_EQ(c.curve.peak(5, 5).event, 5);
    EXPECT_EQ(c.curve.peak(5, 3).event, 5);
}

TEST(UsageCurve, ReplaysReservedBytesBackwardsFromTheSegments)
{
    const Curve c(test::traceFromText("segment_alloc s 2MiB\nalloc s 100\nsegment_map t 1MiB\nsegment_unmap "
                                      "t 1MiB\nsegment_free u 4MiB\ncached keep 1MiB\ncached s 2MiB"));
    EXPECT_EQ(c.curve.reservedAt(-1), 5 * kMiB);
    EXPECT_EQ(c.curve.reservedAt(0), 7 * kMiB);
    EXPECT_EQ(c.curve.reservedAt(1), 7 * kMiB);
    EXPECT_EQ(c.curve.reservedAt(2), 8 * kMiB);
    EXPECT_EQ(c.curve.reservedAt(3), 7 * kMiB);
    EXPECT_EQ(c.curve.reservedAt(4), 3 * kMiB);
    EXPECT_EQ(c.curve.reservedPeak(), 8 * kMiB);
    EXPECT_EQ(c.curve.reservedChanges().front().event, -1);
}

TEST(UsageCurve, DoesNotKnowWhatWasReservedBeforeTheFirstReportedTotal)
{
    const auto trace
        = std::const_pointer_cast<Trace>(test::traceFromText("alloc a 100\nalloc b 100\nalloc c 100\n"));
    trace->devices[0].reserved = {{1, 5 * kMiB}};
    const UsageCurve curve(*trace, AllocationTable(*trace, 0));
    EXPECT_FALSE(curve.reservedAt(0));
    EXPECT_EQ(curve.reservedAt(1), 5 * kMiB);
    EXPECT_EQ(curve.reservedAt(2), 5 * kMiB);
}

TEST(UsageCurve, ReservedNeverChangesBetweenItsChanges)
{
    const Curve c(test::randomTrace(5));
    std::size_t changes = 1;
    for (std::int64_t event = 0; event < c.curve.eventCount(); ++event)
        changes += c.curve.reservedAt(event) != c.curve.reservedAt(event - 1);
    EXPECT_EQ(changes, c.curve.reservedChanges().size());
}

} // namespace highwater
