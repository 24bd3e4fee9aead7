#include "core/analysis/steps/lanes.h"

#include <gtest/gtest.h>

#include "core/trace/trace_builder.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Events, one per microsecond unless `times` is set, and these ranges.
class Lanes
{
public:
    Lanes& range(std::string_view name, std::int64_t beginUs, std::int64_t endUs, std::int64_t device = 0)
    {
        const StringId id = m_builder.strings().intern(name);
        m_builder.addAnnotationMark({id, device, beginUs * 1000, true});
        m_builder.addAnnotationMark({id, device, endUs * 1000, false});
        return *this;
    }
    Lanes& times(std::vector<std::int64_t> microseconds)
    {
        m_times = std::move(microseconds);
        return *this;
    }
    Lane lane(bool withInternal = false, const std::set<std::string, std::less<>>& omitted = {})
    {
        for (const std::int64_t time : m_times)
            m_builder.addEvent({Action::Snapshot, 0, 1, time * 1000, {}, {}, {}, {}, {}});
        m_builder.assignEvents(m_builder.device(DeviceKind::Cuda, 0), {{0, 10}});
        return annotationLane(*m_builder.finish(), 0, withInternal, omitted);
    }

private:
    TraceBuilder m_builder;
    std::vector<std::int64_t> m_times = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109}; ///< ten
};

} // namespace

TEST(AnnotationLane, GivesTheEventsOfARange)
{
    const Lane lane = Lanes().range("a", 102, 104).lane();
    ASSERT_EQ(lane.items.size(), 1u);
    EXPECT_EQ(lane.items[0].firstEvent, 2);
    EXPECT_EQ(lane.items[0].lastEvent, 5);
    EXPECT_EQ(lane.items[0].label, "a");
}

TEST(AnnotationLane, GivesTheEventsOfARangeInWhichTimesDecrease)
{
    const Lane lane
        = Lanes().times({100, 101, 102, 103, 102, 104, 105, 106, 107, 108}).range("a", 103, 104).lane();
    ASSERT_EQ(lane.items.size(), 1u);
    EXPECT_EQ(lane.items[0].firstEvent, 3);
    EXPECT_EQ(lane.items[0].lastEvent, 6);
}

TEST(AnnotationLane, PutsNestedRangesInRowsBelowEachOther)
{
    const Lane lane
        = Lanes().range("outer", 100, 108).range("inner", 102, 104).range("next", 108, 109).lane();
    ASSERT_EQ(lane.items.size(), 3u);
    EXPECT_EQ(lane.rows, 2);
    EXPECT_EQ(lane.items[0].row, 0);
    EXPECT_EQ(lane.items[1].row, 1);
    EXPECT_EQ(lane.items[2].row, 0);
}

TEST(AnnotationLane, LeavesOutOmittedNamesAndTheirRow)
{
    const Lane lane = Lanes().range("step 0", 100, 108).range("inner", 102, 104).lane(false, {"step 0"});
    ASSERT_EQ(lane.items.size(), 1u);
    EXPECT_EQ(lane.items[0].label, "inner");
    EXPECT_EQ(lane.items[0].row, 0);
}

TEST(AnnotationLane, NeverDrawsTwoRangesOverEachOther)
{
    const Lane lane
        = Lanes().range("a", 100, 106).range("b", 101, 107).range("c", 102, 108).range("d", 106, 109).lane();
    EXPECT_EQ(lane.items.size(), 4u);
    for (const LaneItem& one : lane.items)
        for (const LaneItem& other : lane.items)
            if (&one != &other && one.row == other.row) {
                EXPECT_TRUE(one.end <= other.begin || other.end <= one.begin);
            }
}

TEST(AnnotationLane, LeavesOutRangesOfOtherDevices)
{
    EXPECT_TRUE(Lanes().range("a", 100, 101, 3).lane().items.empty());
}

TEST(AnnotationLane, ShowsInternalRangesOnRequestOnly)
{
    const Lane without = Lanes().range("_compile.compile_inner (dynamo_timed)", 100, 101).lane(false);
    EXPECT_TRUE(without.items.empty());
    EXPECT_EQ(without.hidden, 1u);
    EXPECT_EQ(Lanes().range("_compile.compile_inner (dynamo_timed)", 100, 101).lane(true).items.size(), 1u);
}

TEST(AnnotationLane, HasNoEventsForARangeBetweenThem)
{
    const Lane lane = Lanes().range("a", 200, 201).lane();
    EXPECT_EQ(lane.items[0].firstEvent, lane.items[0].lastEvent);
}

TEST(InternalAnnotation, IsNotWhatAUserOrTheOptimizerWrites)
{
    EXPECT_FALSE(isInternalAnnotation("## forward ##"));
    EXPECT_FALSE(isInternalAnnotation("Optimizer.step#AdamW.step"));
    EXPECT_FALSE(isInternalAnnotation("ProfilerStep#3"));
    EXPECT_TRUE(isInternalAnnotation("Torch-Compiled Region: 0/0"));
}

TEST(CacheFlushes, AreBurstsOfReleases)
{
    const auto trace = test::traceFromText(
        "segment_free a 2MiB\nsegment_unmap b 1MiB\noom 5 6\nsegment_free c 4MiB\nalloc d 1\nend");
    const std::vector<CacheFlush> flushes = cacheFlushes(*trace, 0);
    ASSERT_EQ(flushes.size(), 1u);
    EXPECT_EQ(flushes[0].firstEvent, 0);
    EXPECT_EQ(flushes[0].lastEvent, 2);
    EXPECT_EQ(flushes[0].segmentCount, 2);
    EXPECT_EQ(flushes[0].bytes, 3 * kMiB);
}

TEST(CacheFlushes, MayEndTheTrace)
{
    EXPECT_EQ(
        cacheFlushes(*test::traceFromText("alloc d 1\nsegment_free a 1\nsegment_free b 1\nend"), 0).size(),
        1u);
}

namespace {

Span span(TraceBuilder& builder, std::string_view name, Nanoseconds begin, Nanoseconds end,
    SpanKind kind = SpanKind::Annotation, std::int64_t process = Span::kAnyProcess)
{
    Span made;
    made.name = builder.strings().intern(name);
    made.kind = kind;
    made.process = process;
    made.begin = begin;
    made.end = end;
    return made;
}

} // namespace

TEST(RecordedTime, GoesFromTheFirstBeginToTheLastEnd)
{
    TraceBuilder builder;
    builder.addSpan(span(builder, "a", 10, 90));
    builder.addSpan(span(builder, "b", 20, 30));
    EXPECT_EQ(recordedTime(*builder.finish()), (std::pair<Nanoseconds, Nanoseconds>(10, 90)));
    EXPECT_EQ(recordedTime(*TraceBuilder().finish()), std::nullopt);
}

TEST(ActivityLanes, HoldTheWorkOfTheDeviceAndTheCallsByKind)
{
    TraceBuilder builder;
    for (std::int64_t i = 0; i < 10; ++i)
        builder.addEvent({Action::Snapshot, 0, 1, (100 + i) * 1000, {}, {}, {}, {}, {}});
    builder.assignEvents(builder.device(DeviceKind::Cuda, 1), {{0, 10}});
    const StringId name = builder.strings().intern("work");
    builder.addActivity({ActivityKind::Kernel, name, 1, 7, 102'000, 104'500, 0});
    builder.addActivity({ActivityKind::Kernel, name, 1, 8, 103'000, 105'000, 0}); // another stream
    builder.addActivity({ActivityKind::Kernel, name, 0, 7, 101'000, 102'000, 0}); // another device
    builder.addActivity({ActivityKind::RuntimeCall, name, -1, 42, 101'000, 102'000, 0});
    const auto trace = builder.finish();
    const std::vector<NamedLane> lanes = activityLanes(*trace, 0);
    ASSERT_EQ(lanes.size(), 2u);
    EXPECT_EQ(lanes[0].name, "kernels");
    EXPECT_EQ(lanes[0].lane.rows, 2);
    ASSERT_EQ(lanes[0].lane.items.size(), 2u);
    EXPECT_EQ(lanes[0].lane.items[0].firstEvent, 2);
    EXPECT_EQ(lanes[0].lane.items[0].lastEvent, 5);
    EXPECT_EQ(lanes[1].name, "calls");
    EXPECT_EQ(lanes[1].lane.items.size(), 1u);
}

} // namespace highwater
