#include "core/analysis/allocator/allocator_moment.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/device/device_study.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// The states of one sample.
struct SampleMoments
{
    explicit SampleMoments(const std::string& name)
        : trace(loadFile(test::snapshotPath(name), {})->trace)
        , study(*trace, 0)
        , live(study.allocations)
        , history(*trace, study.allocations, live)
        , ooms(deviceFigures(*trace, 0).ooms)
    {
    }
    AllocatorMoment at(std::int64_t event) const { return allocatorMomentAt(history, event, ooms); }
    std::string change(std::int64_t event) const { return changeText(*trace, study.sites, at(event).change); }

    std::shared_ptr<const Trace> trace;
    DeviceStudy study;
    LiveIndex live;
    SegmentHistory history;
    std::vector<OomEvent> ooms;
};

} // namespace

TEST(MemoryChange, SaysWhatTheEventDidWithBytesAndCallSite)
{
    const SampleMoments tiny("tiny-hand-checked");
    EXPECT_EQ(tiny.change(0), "reserved a segment of 20 MiB");
    EXPECT_EQ(tiny.change(6), "allocated 12 MiB, step (tiny.py:9)");
}

TEST(MemoryChange, IsTheBlockOfTheMapIncludingWhatRoundingAdds)
{
    const MemoryChange change = SampleMoments("tiny-hand-checked").at(3).change;
    EXPECT_EQ(change.bytes, 1000);
    EXPECT_EQ(change.length, 1024);
}

TEST(MemoryChange, KeepsThePlaceOfABlockThatIsFreed)
{
    const SampleMoments tiny("tiny-hand-checked");
    const AllocationIndex freed = tiny.study.allocations.ofEvent(4);
    EXPECT_EQ(tiny.change(11).substr(0, 19), "began to free 2 MiB");
    const MemoryChange change = tiny.at(12).change;
    EXPECT_EQ(change.allocation, freed);
    EXPECT_EQ(change.begin, tiny.study.allocations.address(freed));
    EXPECT_EQ(change.length, 2 * kMiB);
}

TEST(MemoryChange, IsNothingBeforeTheFirstEventAndWhereMemoryRanOut)
{
    const SampleMoments failed("oom-fragmentation");
    EXPECT_EQ(failed.at(-1).change.length, 0);
    EXPECT_EQ(failed.at(139).change.length, 0) << "its address holds the free bytes of the GPU";
}

TEST(RequestGhost, IsAtTheLargestFreeBlockThatMayServeTheRequest)
{
    const AllocatorMoment moment = SampleMoments("oom-fragmentation").at(139);
    ASSERT_TRUE(moment.ghost);
    EXPECT_EQ(moment.ghost->bytes, moment.verdict->requestedBytes);
    EXPECT_EQ(moment.state.blocks[moment.ghost->block].size, moment.verdict->servingLargestFree);
    EXPECT_TRUE(moment.state.blocks[moment.ghost->block].isFreeBlock());
    EXPECT_FALSE(moment.ghost->fits);
}

TEST(RequestGhost, IsThereBeforeTheFailureToo)
{
    const AllocatorMoment moment = SampleMoments("oom-fragmentation").at(138);
    EXPECT_FALSE(moment.verdict);
    ASSERT_TRUE(moment.ghost);
    EXPECT_EQ(moment.ghost->event, 139);
}

TEST(RequestGhost, NeedsAFailure)
{
    EXPECT_FALSE(SampleMoments("tiny-hand-checked").at(10).ghost);
}

TEST(AllocatorMoment, LeavesFreeBlocksToTheSentenceOnFragmentation)
{
    const AllocatorMoment moment = SampleMoments("oom-fragmentation").at(139);
    EXPECT_EQ(momentHeadline(moment), "7.24 GiB is reserved in 21 segments: 4.37 GiB in use");
}

TEST(AllocatorMoment, SaysHowMuchOfTheFreeMemoryTheVerdictCounts)
{
    const AllocatorMoment moment = SampleMoments("r1-grpo-before").at(13341);
    EXPECT_TRUE(test::hasParts(momentHeadline(moment),
        {"199.61 MiB free in 59 blocks",
            "(198.76 MiB of it in the 58 blocks that may serve the request), the largest 6 MiB"}));
}

} // namespace highwater
