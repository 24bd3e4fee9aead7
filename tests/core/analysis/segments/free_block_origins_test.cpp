#include "core/analysis/segments/free_block_origins.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct SegmentsOfSample
{
    explicit SegmentsOfSample(const std::string& name)
        : trace(loadFile(test::snapshotPath(name), {})->trace)
        , allocations(*trace, 0)
        , live(allocations)
        , history(*trace, allocations, live)
    {
    }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    LiveIndex live;
    SegmentHistory history;
};

class HolesOfSnapshot : public testing::TestWithParam<std::string>
{
};

bool overlaps(const AllocationTable& allocations, AllocationIndex i, const BlockAt& hole)
{
    const Address begin = allocations.address(i);
    return begin < hole.end() && begin + static_cast<Address>(allocations.recordedBytes(i)) > hole.address;
}

} // namespace

TEST(FreeBlockOrigins, NameTheObstacleOfEachHoleOfAFragmentedRun)
{
    const SegmentsOfSample run("oom-fragmentation");
    const SegmentState state = run.history.at(run.trace->eventCount(0) - 1);
    const std::vector<FreeBlockOrigin> holes = largestFreeBlocks(run.allocations, state, 5);
    ASSERT_EQ(holes.size(), 5u);
    EXPECT_EQ(state.blocks[holes[0].block].size, 166 * kMiB);
    for (const FreeBlockOrigin& hole : holes) {
        const AllocationIndex obstacle = hole.obstacle(run.allocations);
        ASSERT_NE(obstacle, AllocationTable::kNoAllocation);
        EXPECT_TRUE(run.allocations.isLiveAt(obstacle, state.event));
        EXPECT_GE(hole.freedAt, 0);
    }
}

TEST_P(HolesOfSnapshot, HoleOriginsSumToTheFreeBytesAndNothingInThemWasFreedLater)
{
    const SegmentsOfSample run(GetParam());
    for (const std::int64_t event : {run.trace->eventCount(0) / 2, run.trace->eventCount(0) - 1}) {
        const SegmentState state = run.history.at(event);
        const std::vector<FreeBlockOrigin> holes
            = largestFreeBlocks(run.allocations, state, state.blocks.size());
        Bytes sum = 0;
        for (const FreeBlockOrigin& hole : holes)
            sum += state.blocks[hole.block].size;
        EXPECT_EQ(sum, state.freeBytes);
        for (const FreeBlockOrigin& hole : holes)
            for (AllocationIndex i = 0; i < run.allocations.size(); ++i)
                if (overlaps(run.allocations, i, state.blocks[hole.block])
                    && run.allocations.death(i) <= event) {
                    EXPECT_LE(run.allocations.death(i), hole.freedAt);
                }
    }
}

INSTANTIATE_TEST_SUITE_P(FreeBlockOrigins, HolesOfSnapshot,
    testing::Values("tiny-hand-checked", "oom-fragmentation", "expandable-segments", "private-pool"));

} // namespace highwater
