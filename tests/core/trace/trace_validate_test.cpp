#include "core/trace/trace_validate.h"

#include <functional>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

struct Damage
{
    const char* name;
    std::function<void(Trace&)> apply;
};

/// Changes the first block.
void damageBlock(Trace& trace, const std::function<void(Block&)>& apply)
{
    Block block = trace.segments.blocks[0];
    apply(block);
    trace.segments.blocks.set(0, block);
}

/// Changes the first segment.
void damageSegment(Trace& trace, const std::function<void(Segment&)>& apply)
{
    Segment segment = trace.segments.segments[0];
    apply(segment);
    trace.segments.segments.set(0, segment);
}

void damageBlocksOfSegment(Trace& trace, RowRange blocks)
{
    damageSegment(trace, [&](Segment& segment) { segment.blocks = blocks; });
}

/// Adds a series of two points.
CounterSeries& addSeries(Trace& trace)
{
    CounterSeries series;
    series.value = {1, 2};
    series.labels = {""};
    trace.counters.push_back(series);
    return trace.counters.back();
}

LogFrame& addTraceback(Trace& trace)
{
    LogEvent event;
    event.failure = 0;
    event.frames.emplace_back();
    trace.logEvents.push_back(event);
    return trace.logEvents.back().frames.back();
}

void addActivities(Trace& trace, Nanoseconds first, Nanoseconds second)
{
    for (const Nanoseconds begin : {first, second}) {
        Activity activity;
        activity.begin = begin;
        activity.end = begin;
        trace.activities.push(activity);
    }
}

void addSpans(Trace& trace, Nanoseconds first, Nanoseconds second)
{
    for (const Nanoseconds begin : {first, second}) {
        Span span;
        span.begin = begin;
        span.end = begin;
        trace.spans.push_back(span);
    }
}

class DamagedTrace : public testing::TestWithParam<Damage>
{
};

} // namespace

TEST(TraceValidate, FindsNothingInWhatTheBuilderMade)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed)
        EXPECT_EQ(firstProblem(*test::randomTrace(seed, {.consistent = seed % 2 == 0})), "") << seed;
    EXPECT_EQ(firstProblem(*TraceBuilder().finish()), "");
}

/// A program may request this much by mistake.
TEST(TraceValidate, TakesAFailedRequestForMoreThanAnyDeviceHas)
{
    const auto trace = test::traceFromText("alloc a 1\noom 999999999999999999 5\nend");
    EXPECT_EQ(firstProblem(*trace), "");
    const_cast<Trace&>(*trace).devices[0].outOfMemory = {{0, Bytes{1} << 59}};
    EXPECT_EQ(firstProblem(*trace), "");
}

TEST_P(DamagedTrace, IsFound)
{
    const auto trace = test::traceFromText("stack s = a.py:1 f\nalloc a 1 @s\nfree_once a\nalloc b 2 "
                                           "@s\nfree_once b\nalloc c 3\nend\nfinal old 9");
    GetParam().apply(const_cast<Trace&>(*trace)); // a builder made it, so it is not a constant object
    EXPECT_NE(firstProblem(*trace), "");
}

INSTANTIATE_TEST_SUITE_P(All, DamagedTrace,
    testing::Values(Damage{"LongColumn", [](Trace& damaged) { damaged.events.time.push_back(0); }},
        Damage{"Stack", [](Trace& damaged) { damaged.events.stack.set(0, StackId(99u)); }},
        Damage{"Stream", [](Trace& damaged) { damaged.events.stream.set(0, StreamId(99u)); }},
        Damage{"Pool", [](Trace& damaged) { damaged.events.pool.set(0, PoolId(99u)); }},
        Damage{"Details", [](Trace& damaged) { damaged.events.details.set(0, StringId(99'999u)); }},
        Damage{"NegativeSize", [](Trace& damaged) { damaged.events.size.set(0, -1); }},
        Damage{"HugeBlock",
            [](Trace& damaged) { damageBlock(damaged, [](Block& block) { block.size = INT64_MAX; }); }},
        Damage{"NegativeSegment",
            [](Trace& damaged) { damageSegment(damaged, [](Segment& segment) { segment.totalSize = -1; }); }},
        Damage{"SegmentBeyondTheLastAddress",
            [](Trace& damaged) {
                damageSegment(damaged, [](Segment& segment) {
                    segment.address = UINT64_MAX;
                    segment.totalSize = 512;
                });
            }},
        Damage{"DeviceOfSegment",
            [](Trace& damaged) {
                damageSegment(damaged, [](Segment& segment) { segment.deviceOrdinal = INT64_MIN; });
            }},
        Damage{"Blocks",
            [](Trace& damaged) {
                damageBlocksOfSegment(damaged, {0, 99});
            }},
        Damage{"BlocksBackwards",
            [](Trace& damaged) {
                damageBlocksOfSegment(damaged, {1, 0});
            }},
        Damage{"BlockStack",
            [](Trace& damaged) { damageBlock(damaged, [](Block& block) { block.stack = StackId(99u); }); }},
        Damage{"Events", [](Trace& damaged) { damaged.devices[0].events.last = 99; }},
        Damage{"Segments", [](Trace& damaged) { damaged.devices[0].segments.last = 99; }},
        Damage{"Partner", [](Trace& damaged) { damaged.pairings[0].partner.set(0, 99); }},
        Damage{"PartnerOfBirthBefore", [](Trace& damaged) { damaged.pairings[0].partner.set(2, 1); }},
        Damage{"PartnerOfDeathBehind", [](Trace& damaged) { damaged.pairings[0].partner.set(1, 2); }},
        Damage{"PartnerIsNotMutual", [](Trace& damaged) { damaged.pairings[0].partner.set(3, 0); }},
        Damage{"BirthEndedByWhatIsNoEnd",
            [](Trace& damaged) { damaged.pairings[0].partner.set(4, EventPairing::kBeforeTrace); }},
        Damage{"Untouched", [](Trace& damaged) { damaged.pairings[0].untouchedBlocks[0] = 99; }},
        Damage{"TwoEndedByOneFree",
            [](Trace& damaged) {
                damaged.pairings[0].partner.set(0, 3); // the free of the second allocation
                damaged.pairings[0].partner.set(1, EventPairing::kUnknown);
            }},
        Damage{"FreeWithoutPartner",
            [](Trace& damaged) { damaged.pairings[0].partner.set(1, EventPairing::kNone); }},
        Damage{"DevicesShareEvents",
            [](Trace& damaged) {
                damaged.devices.push_back(damaged.devices[0]);
                damaged.pairings.emplace_back();
                for (const std::int32_t partner : damaged.pairings[0].partner)
                    damaged.pairings[1].partner.push_back(partner);
            }},
        Damage{"SegmentsShareBlocks",
            [](Trace& damaged) { damaged.segments.segments.push_back(damaged.segments.segments[0]); }},
        Damage{"StatedSize",
            [](Trace& damaged) {
                Segment segment = damaged.segments.segments[0];
                segment.activeSize = INT64_MIN;
                damaged.segments.segments.set(0, segment);
            }},
        Damage{"SumOfSizes",
            [](Trace& damaged) {
                for (int i = 0; i < 5000; ++i)
                    damageBlock(damaged, [&](Block& block) {
                        block.size = Bytes{1} << 48;
                        damaged.segments.blocks.push_back(block);
                    });
            }},
        Damage{"Time", [](Trace& damaged) { damaged.events.time.set(0, INT64_MAX); }},
        Damage{"Report",
            [](Trace& damaged) {
                damaged.devices[0].reserved = {{99, 1}};
            }},
        Damage{"ReportedBytes",
            [](Trace& damaged) {
                damaged.devices[0].reserved = {{0, -1}};
            }},
        Damage{"FailedBytes",
            [](Trace& damaged) {
                damaged.devices[0].outOfMemory = {{0, INT64_MAX}};
            }},
        Damage{"EndState",
            [](Trace& damaged) {
                damaged.devices[0].endState = EndState{0, -1};
            }},
        Damage{"Capacity", [](Trace& damaged) { damaged.devices[0].capacity = -1; }},
        Damage{"SpansBackwards", [](Trace& damaged) { addSpans(damaged, 2, 1); }},
        Damage{"SpanTime", [](Trace& damaged) { addSpans(damaged, 2, INT64_MAX); }},
        Damage{"SpanName",
            [](Trace& damaged) {
                addSpans(damaged, 1, 2);
                damaged.spans[1].name = StringId(99'999u);
            }},
        Damage{"ActivityColumn", [](Trace& damaged) { damaged.activities.begin.push_back(1); }},
        Damage{"ActivitiesBackwards", [](Trace& damaged) { addActivities(damaged, 2, 1); }},
        Damage{"ActivityName",
            [](Trace& damaged) {
                addActivities(damaged, 1, 2);
                damaged.activities.name[0] = StringId(99'999u);
            }},
        Damage{"ActivityBytes",
            [](Trace& damaged) {
                addActivities(damaged, 1, 2);
                damaged.activities.bytes[0] = -1;
            }},
        Damage{"SeriesTimes", [](Trace& damaged) { addSeries(damaged).time = {1}; }},
        Damage{"SeriesSteps",
            [](Trace& damaged) {
                addSeries(damaged).step = {1, 2, 3};
            }},
        Damage{"SeriesStep",
            [](Trace& damaged) {
                addSeries(damaged).step = {1, INT64_MAX};
            }},
        Damage{"SeriesLabel",
            [](Trace& damaged) {
                addSeries(damaged).label = {0, 1};
            }},
        Damage{"MessageFunction", [](Trace& damaged) { addTraceback(damaged).function = StringId(99'999u); }},
        Damage{"MessageSource", [](Trace& damaged) { addTraceback(damaged).source = StringId(99'999u); }},
        Damage{"MessageFailure",
            [](Trace& damaged) {
                addTraceback(damaged);
                damaged.logEvents[0].failure = 1;
            }},
        Damage{"MessageFigures",
            [](Trace& damaged) {
                addTraceback(damaged);
                damaged.logEvents[0].figures.emplace().requested = WrittenBytes{-1, 0};
            }},
        Damage{"NoPairing", [](Trace& damaged) { damaged.pairings.clear(); }}),
    [](const auto& damage) { return std::string(damage.param.name); });

} // namespace highwater
