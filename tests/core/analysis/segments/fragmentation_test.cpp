#include "core/analysis/segments/fragmentation.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/allocator/allocator_moment.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/snapshot_builder.h"

namespace highwater {

namespace {

struct SegmentsOfFile
{
    explicit SegmentsOfFile(const std::string& path)
        : trace(loadFile(path, {})->trace)
        , allocations(*trace, 0)
        , live(allocations)
        , history(*trace, allocations, live)
    {
    }
    AllocatorMoment at(std::int64_t event) const { return allocatorMomentAt(history, event); }
    AllocatorMoment atEnd() const { return at(trace->eventCount(0) - 1); }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    LiveIndex live;
    SegmentHistory history;
};

SegmentsOfFile segmentsOfSample(const std::string& name)
{
    return SegmentsOfFile(test::snapshotPath(name));
}

class AnySnapshot : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST(Fragmentation, OfTheHandCheckedSampleIsWhatTheTableSays)
{
    const SegmentsOfFile tiny = segmentsOfSample("tiny-hand-checked");
    const Fragmentation figures = tiny.at(17).figures;
    ASSERT_EQ(figures.lists.size(), 2u);
    EXPECT_EQ(toText(*tiny.trace, figures.lists[0].key), "default pool · stream 0 · large");
    EXPECT_EQ(figures.lists[0].reservedBytes, 41'943'040);
    EXPECT_EQ(figures.lists[0].largestFree, 20'971'520);
    EXPECT_EQ(figures.lists[0].unusedSegmentCount, 1);
    EXPECT_EQ(figures.releasableBytes, 20'971'520);
    EXPECT_EQ(figures.lists[1].segmentCount, 1);
    EXPECT_EQ(figures.lists[1].activeBytes, 1'024);
}

/// Each segment is on a separate stream. This would take most of a minute if all lists were searched for each
/// segment.
TEST(Fragmentation, CostsWithTheSegmentsHoweverManyStreamsThereAre)
{
    constexpr std::uint32_t count = 200'000;
    const auto trace = test::SnapshotBuilder().finish();
    SegmentState state;
    for (std::uint32_t i = 0; i < count; ++i) {
        SegmentAt segment;
        segment.range = {Address{i} << 22, 2 * kMiB, StreamId(i), PoolId(), SegmentType::Small, false};
        segment.freeBytes = segment.largestFree = segment.range.size;
        state.segments.push_back(segment);
    }
    const Fragmentation figures = measureFragmentation(*trace, state);
    ASSERT_EQ(figures.lists.size(), count);
    EXPECT_EQ(figures.lists.back().key.stream, StreamId(count - 1)) << "of one size: by address";
    EXPECT_EQ(figures.all.reservedBytes, count * 2 * kMiB);
}

TEST(Fragmentation, NamesWhatHoldsASegmentThatIsMostlyFree)
{
    const SegmentsOfFile tiny = segmentsOfSample("tiny-hand-checked");
    const AllocatorMoment moment
        = tiny.at(14); // 4 MiB live in the first 20 MiB segment, 1 KiB in the small one
    ASSERT_EQ(moment.figures.held.size(), 3u);
    const HeldSegment& most = moment.figures.held[0];
    EXPECT_EQ(moment.state.segments[most.segment].freeBytes, 16'777'216);
    EXPECT_EQ(most.liveBlockCount, 1);
    EXPECT_EQ(tiny.allocations.birth(most.oldest), 1);
    EXPECT_EQ(tiny.allocations.birth(moment.figures.held[1].oldest), 10);
}

TEST(Fragmentation, DoesNotCountUnusedSegmentsOfPrivatePoolsAsReleasable)
{
    const SegmentsOfFile pools = segmentsOfSample("private-pool");
    for (std::int64_t event = 0; event < pools.trace->eventCount(0); event += 5) {
        const AllocatorMoment moment = pools.at(event);
        Bytes unused = 0;
        for (const FreeListFigures& list : moment.figures.lists)
            if (pools.trace->poolLabel(list.key.pool) == "default pool")
                unused += list.unusedBytes;
        EXPECT_EQ(moment.figures.releasableBytes, unused);
    }
}

TEST(Fragmentation, NamesClassesOfHolesByTheirLimits)
{
    EXPECT_EQ(toText(FreeBlockClass{0, 4 * kKiB, 0, 0}), "below 4 KiB");
    EXPECT_EQ(toText(FreeBlockClass{kMiB, 16 * kMiB, 0, 0}), "1 MiB – 16 MiB");
    EXPECT_EQ(toText(FreeBlockClass{64 * kGiB, 0, 0, 0}), "from 64 GiB");
}

TEST_P(AnySnapshot, SumsToTheReservedBytesAndToTheHoles)
{
    const SegmentsOfFile loaded = segmentsOfSample(GetParam());
    test::Random random(1);
    for (int i = 0; i < 25; ++i) {
        const AllocatorMoment moment = loaded.at(random.below(loaded.trace->eventCount(0) + 1) - 1);
        Bytes reserved = 0;
        Bytes free = 0;
        std::int64_t segments = 0;
        for (const FreeListFigures& list : moment.figures.lists) {
            ASSERT_EQ(list.activeBytes + list.pendingBytes + list.freeBytes, list.reservedBytes);
            ASSERT_LE(list.largestFree, list.freeBytes);
            reserved += list.reservedBytes;
            free += list.freeBytes;
            segments += list.segmentCount;
        }
        ASSERT_EQ(reserved, moment.state.reservedBytes);
        ASSERT_EQ(free, moment.state.freeBytes);
        ASSERT_EQ(segments, static_cast<std::int64_t>(moment.state.segments.size()));
        Bytes bytes = 0;
        std::int64_t count = 0;
        for (const FreeBlockClass& size : moment.figures.freeBlockClasses) {
            ASSERT_GE(size.bytes, size.from * size.count);
            bytes += size.bytes;
            count += size.count;
        }
        ASSERT_EQ(bytes, moment.state.freeBytes);
        ASSERT_EQ(count, moment.state.freeBlockCount);
        Bytes inSegments = 0;
        for (const HeldSegment& segment : moment.figures.partlyFree)
            inSegments += moment.state.segments[segment.segment].freeBytes;
        ASSERT_EQ(inSegments, moment.state.freeBytes);
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, AnySnapshot,
    testing::Values("tiny-hand-checked", "training-6-steps-bare", "private-pool", "expandable-segments",
        "two-streams-record-stream", "r5-flan-t5-xl-after"),
    [](const auto& which) { return test::testNameOf(which.param); });

} // namespace highwater
