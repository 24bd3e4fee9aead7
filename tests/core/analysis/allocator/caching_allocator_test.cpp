#include "core/analysis/allocator/caching_allocator.h"

#include <gtest/gtest.h>

#include "core/analysis/allocator/allocator_rules.h"
#include "tests/support/allocator_invariants.h"
#include "tests/support/random_trace.h"

namespace highwater {

using test::expandable;

namespace {

const StreamId kStream(std::uint32_t{0});
const StreamId kOtherStream(std::uint32_t{1});
const PoolId kPrivatePool(std::uint32_t{1});

AllocatorSettings maxSplit(Bytes size)
{
    AllocatorSettings settings;
    settings.maxSplitSize = size;
    return settings;
}

/// A program that allocates on one stream and numbers its allocations.
class Program
{
public:
    explicit Program(const AllocatorSettings& settings = {}, Bytes limit = DriverFacts::kNoLimit)
        : allocator(settings, 1000, {limit, limit < DriverFacts::kNoLimit ? limit : 0, 0})
    {
    }

    /// Allocates and returns the number; does not check the result.
    AllocationIndex take(Bytes bytes, StreamId stream = kStream, PoolId pool = {})
    {
        succeeded = allocator.allocate(m_next, {bytes, stream, pool});
        test::expectSound(allocator);
        return m_next++;
    }
    void free(AllocationIndex allocation)
    {
        allocator.free(allocation);
        test::expectSound(allocator);
    }
    const SimulatedBlock& block(AllocationIndex allocation) const
    {
        return allocator.blocks().block(allocator.blockOf(allocation));
    }
    Bytes sizeOf(AllocationIndex allocation) const
    {
        return allocator.blocks().sizeOf(allocator.blockOf(allocation));
    }
    Address address(AllocationIndex allocation) const { return block(allocation).address; }
    Bytes reserved() const { return allocator.reservedBytes(); }

    CachingAllocator allocator;
    bool succeeded = false;

private:
    AllocationIndex m_next = 0;
};

} // namespace

TEST(CachingAllocator, CutsASmallRequestOffASegmentOfTwoMebibytes)
{
    Program program;
    const auto first = program.take(1000);
    const auto second = program.take(1);
    EXPECT_EQ(program.reserved(), 2 * kMiB);
    EXPECT_EQ(program.allocator.allocatedBytes(), 1024 + 512);
    EXPECT_EQ(program.address(second), program.address(first) + 1024);
}

TEST(CachingAllocator, KeepsSmallAndLargeRequestsApart)
{
    Program program;
    program.take(kMiB + 1);
    program.take(kMiB);
    EXPECT_EQ(program.reserved(), 22 * kMiB);
}

TEST(CachingAllocator, GivesTheWholeBlockWhereNoMoreThanAMebibyteIsLeft)
{
    Program program;
    const auto large = program.take(19 * kMiB);
    EXPECT_EQ(program.sizeOf(large), 20 * kMiB);
    EXPECT_EQ(program.allocator.allocatedBytes(), 20 * kMiB);
}

TEST(CachingAllocator, TakesTheSmallestBlockThatFits)
{
    Program program;
    const auto wide = program.take(40 * kMiB);
    const auto narrow = program.take(30 * kMiB);
    program.free(wide);
    program.free(narrow);
    const Address there = program.address(program.take(28 * kMiB));
    EXPECT_EQ(program.sizeOf(2), 28 * kMiB);
    EXPECT_EQ(there, CachingAllocator::kOwnAddresses + 40 * kMiB) << "in the segment of 30 MiB";
    EXPECT_EQ(program.reserved(), 70 * kMiB);
}

TEST(CachingAllocator, TakesTheLowestAddressAmongBlocksOfOneSize)
{
    Program program;
    const auto low = program.take(30 * kMiB);
    const auto high = program.take(30 * kMiB);
    const Address lowest = program.address(low);
    program.free(high);
    program.free(low);
    EXPECT_EQ(program.address(program.take(30 * kMiB)), lowest);
}

TEST(CachingAllocator, JoinsFreeNeighbours)
{
    Program program;
    const auto a = program.take(5 * kMiB);
    const auto b = program.take(5 * kMiB);
    const auto c = program.take(5 * kMiB);
    program.free(a);
    program.free(c);
    program.free(b);
    EXPECT_EQ(program.allocator.blocks().freeCount(), 1);
    program.take(20 * kMiB);
    EXPECT_EQ(program.reserved(), 20 * kMiB);
}

TEST(CachingAllocator, DoesNotServeOneStreamFromTheOther)
{
    Program program;
    program.free(program.take(2 * kMiB, kStream));
    program.take(2 * kMiB, kOtherStream);
    EXPECT_EQ(program.reserved(), 40 * kMiB);
}

TEST(CachingAllocator, DoesNotServeAPrivatePoolFromTheDefaultOne)
{
    Program program;
    program.free(program.take(2 * kMiB));
    program.take(2 * kMiB, kStream, kPrivatePool);
    EXPECT_EQ(program.reserved(), 40 * kMiB);
}

TEST(CachingAllocator, RoundsUpToDivisionsOfPowersOfTwo)
{
    AllocatorSettings settings;
    settings.rounding.divisions.fill(4);
    Program program(settings);
    const auto odd = program.take(33 * kMiB);
    EXPECT_EQ(program.sizeOf(odd), 40 * kMiB);
}

TEST(CachingAllocator, GivesRequestsFromMaxSplitSizeOnWholeBlocks)
{
    Program program(maxSplit(64 * kMiB));
    program.free(program.take(80 * kMiB));
    const auto fits = program.take(64 * kMiB);
    EXPECT_EQ(program.sizeOf(fits), 80 * kMiB);
    program.take(2 * kMiB);
    EXPECT_EQ(program.reserved(), 100 * kMiB);
}

TEST(CachingAllocator, KeepsBlocksFromMaxSplitSizeOnForLargeRequests)
{
    Program program(maxSplit(64 * kMiB));
    program.free(program.take(80 * kMiB));
    program.take(40 * kMiB);
    EXPECT_EQ(program.reserved(), 120 * kMiB) << "without the setting, 80 MiB would be split";
}

TEST(CachingAllocator, FlushesTheCacheBeforeItGivesUp)
{
    Program program({}, 100 * kMiB);
    program.free(program.take(60 * kMiB));
    program.take(70 * kMiB);
    EXPECT_TRUE(program.succeeded);
    EXPECT_EQ(program.reserved(), 70 * kMiB);
    EXPECT_EQ(program.allocator.calls().flushes, 1);
    EXPECT_EQ(program.allocator.calls().allocations, 2);
    EXPECT_EQ(program.allocator.calls().releases, 1);
}

TEST(CachingAllocator, CannotGiveBackASegmentInWhichSomethingLives)
{
    Program program({}, 100 * kMiB);
    const auto whole = program.take(60 * kMiB);
    program.free(whole);
    const auto pin = program.take(2 * kMiB);
    program.take(70 * kMiB);
    EXPECT_FALSE(program.succeeded);
    EXPECT_EQ(program.reserved(), 60 * kMiB);
    program.free(pin);
    program.take(70 * kMiB);
    EXPECT_TRUE(program.succeeded);
}

TEST(CachingAllocator, WithMaxSplitSizeGivesBackOneBlockThatIsLargeEnough)
{
    Program program(maxSplit(64 * kMiB), 400 * kMiB);
    const auto small = program.take(100 * kMiB);
    const auto large = program.take(200 * kMiB);
    const auto larger = program.take(90 * kMiB);
    program.free(small);
    program.free(large);
    program.free(larger);
    program.take(150 * kMiB);
    EXPECT_TRUE(program.succeeded);
    EXPECT_EQ(program.reserved(), 340 * kMiB) << "200 went, 100 and 90 stay";
    EXPECT_EQ(program.allocator.calls().flushes, 0);
}

TEST(CachingAllocator, WithMaxSplitSizeGivesBackTheLargestUntilTheyAreEnough)
{
    Program program(maxSplit(64 * kMiB), 300 * kMiB);
    const auto a = program.take(70 * kMiB);
    const auto b = program.take(90 * kMiB);
    const auto c = program.take(110 * kMiB);
    program.free(a);
    program.free(b);
    program.free(c);
    program.take(190 * kMiB);
    EXPECT_EQ(program.reserved(), 260 * kMiB) << "110 and 90 went, 70 stays";
    EXPECT_EQ(program.allocator.calls().flushes, 0);
}

TEST(CachingAllocator, OccupiesWhatAnotherStreamStillReads)
{
    Program program;
    const auto read = program.take(30 * kMiB);
    program.allocator.requestFree(read);
    program.take(30 * kMiB);
    EXPECT_EQ(program.reserved(), 60 * kMiB);
    program.free(read);
    program.take(30 * kMiB);
    EXPECT_EQ(program.reserved(), 60 * kMiB);
}

TEST(CachingAllocator, WaitsForOtherStreamsInAFlush)
{
    Program program({}, 100 * kMiB);
    const auto read = program.take(60 * kMiB);
    program.allocator.requestFree(read);
    program.take(70 * kMiB);
    EXPECT_TRUE(program.succeeded);
    EXPECT_EQ(program.reserved(), 70 * kMiB);
    program.free(read);
    EXPECT_EQ(program.allocator.allocatedBytes(), 70 * kMiB) << "it was free already";
}

TEST(CachingAllocator, EmptiesTheCacheOfTheDefaultPoolAlone)
{
    Program program;
    program.free(program.take(30 * kMiB));
    program.free(program.take(1000));
    program.free(program.take(40 * kMiB, kStream, kPrivatePool));
    program.allocator.emptyCache();
    EXPECT_EQ(program.reserved(), 40 * kMiB);
    program.allocator.makeReleasable(kPrivatePool);
    program.allocator.emptyCache();
    EXPECT_EQ(program.reserved(), 0);
    EXPECT_EQ(program.allocator.calls().flushes, 0) << "nobody ran out of memory";
}

TEST(CachingAllocator, MapsPagesOfTwentyMebibytesForLargeRequests)
{
    Program program(expandable());
    const auto first = program.take(30 * kMiB);
    EXPECT_EQ(program.reserved(), 40 * kMiB);
    const auto second = program.take(15 * kMiB);
    EXPECT_EQ(program.reserved(), 60 * kMiB) << "10 MiB were left, 20 were mapped";
    EXPECT_EQ(program.address(second), program.address(first) + 30 * kMiB);
}

TEST(CachingAllocator, MapsPagesOfTwoMebibytesForSmallRequests)
{
    Program program(expandable());
    for (int i = 0; i < 3; ++i)
        program.take(kMiB);
    EXPECT_EQ(program.reserved(), 4 * kMiB);
    EXPECT_EQ(program.allocator.blocks().segments().size(), 1u);
}

TEST(CachingAllocator, UnmapsWholePagesAlone)
{
    Program program(expandable());
    const auto front = program.take(30 * kMiB);
    const auto back = program.take(30 * kMiB);
    program.free(front);
    program.allocator.emptyCache();
    test::expectSound(program.allocator);
    EXPECT_EQ(program.reserved(), 40 * kMiB) << "the first page; the second is half of the other block";
    program.take(25 * kMiB);
    EXPECT_EQ(program.reserved(), 60 * kMiB) << "the hole is mapped again";
    program.free(back);
}

TEST(CachingAllocator, LetsGoOfAnAddressSpaceThatIsWhollyUnmapped)
{
    Program program(expandable());
    program.free(program.take(30 * kMiB));
    program.allocator.emptyCache();
    EXPECT_EQ(program.reserved(), 0);
    EXPECT_FALSE(program.allocator.blocks().segments()[0].isReserved());
    program.take(30 * kMiB);
    EXPECT_TRUE(program.succeeded);
}

TEST(CachingAllocator, CountsAnExpandableBlockWithTheSizeThatItCanGrowTo)
{
    Program program(expandable());
    const auto hole = program.take(50 * kMiB);
    const Address lowest = program.address(hole);
    program.take(30 * kMiB);
    const auto last = program.take(40 * kMiB);
    program.free(hole);
    program.free(last);
    EXPECT_EQ(program.address(program.take(35 * kMiB)), lowest)
        << "the last block fits better, but could grow without end";
}

TEST(CachingAllocator, PrivatePoolsGrowByPagesUnlessTheRunShowsThemPlain)
{
    Program program(expandable());
    program.take(30 * kMiB, kStream, kPrivatePool);
    EXPECT_EQ(program.reserved(), 40 * kMiB);
    AllocatorSettings plain = expandable();
    plain.plainPools = {kPrivatePool};
    Program other(plain);
    other.take(30 * kMiB, kStream, kPrivatePool);
    EXPECT_EQ(other.reserved(), 30 * kMiB);
    other.take(30 * kMiB, kStream, PoolId(std::uint32_t{2}));
    EXPECT_EQ(other.reserved(), 70 * kMiB) << "another private pool";
}

TEST(CachingAllocator, AnUnsplitPoolTakesASegmentForEachRequest)
{
    AllocatorSettings settings;
    settings.unsplitPools = {kPrivatePool};
    Program program(settings);
    program.take(2 * kMiB, kStream, kPrivatePool);
    program.take(2 * kMiB, kStream, kPrivatePool);
    EXPECT_EQ(program.reserved(), 40 * kMiB);
    EXPECT_EQ(program.sizeOf(0), 20 * kMiB);
    program.take(2 * kMiB);
    program.take(2 * kMiB);
    EXPECT_EQ(program.reserved(), 60 * kMiB) << "the default pool shares one";
}

TEST(CachingAllocator, LargeSegmentsAndPagesHaveTheSizeThatIsSet)
{
    AllocatorSettings settings;
    settings.largeSegment = 40 * kMiB;
    Program program(settings);
    program.take(2 * kMiB);
    EXPECT_EQ(program.reserved(), 40 * kMiB);
    settings.expandableSegments = true;
    Program pages(settings);
    pages.free(pages.take(50 * kMiB));
    EXPECT_EQ(pages.reserved(), 80 * kMiB);
    pages.take(30 * kMiB);
    pages.allocator.emptyCache();
    EXPECT_EQ(pages.reserved(), 40 * kMiB) << "one whole page is free";
}

TEST(CachingAllocator, MapsNothingWhereThePagesDoNotFit)
{
    Program program(expandable(), 100 * kMiB);
    program.take(50 * kMiB);
    program.take(50 * kMiB);
    EXPECT_TRUE(program.succeeded) << "10 MiB were left, two pages more make 100";
    program.take(kMiB + 1);
    EXPECT_FALSE(program.succeeded);
    EXPECT_EQ(program.reserved(), 100 * kMiB);
}

TEST(CachingAllocator, DoesNotOfferExpandableBlocksOnceTheSettingIsOff)
{
    CachingAllocator allocator({}, 10);
    const BlockIndex block = allocator.adopt({0, kStream, {}}, false, 1 << 30, 20 * kMiB, true);
    const BlockIndex rest = allocator.blocks().split(block, 20 * kMiB);
    allocator.adoptFree(block);
    allocator.adoptUnmapped(rest);
    ASSERT_EQ(allocator.reservedBytes(), 20 * kMiB);
    EXPECT_TRUE(allocator.allocate(0, {2 * kMiB, kStream, {}}));
    EXPECT_EQ(allocator.reservedBytes(), 40 * kMiB);
}

TEST(CachingAllocator, TakesOverTheAddressOfASegmentOfTheSameSize)
{
    CachingAllocator allocator({}, 10);
    const DriverAddress recorded[] = {{0x7000'0000, 10 * kMiB}, {0x1000'0000, 20 * kMiB}};
    EXPECT_TRUE(allocator.allocate(0, {2 * kMiB, kStream, {}, recorded}));
    EXPECT_EQ(allocator.blocks().block(allocator.blockOf(0)).address, 0x1000'0000u);
    EXPECT_TRUE(allocator.allocate(1, {30 * kMiB, kStream, {}, recorded}));
    EXPECT_EQ(allocator.blocks().block(allocator.blockOf(1)).address, CachingAllocator::kOwnAddresses);
}

TEST(CachingAllocator, DoesNotTakeOverAnAddressThatIsTaken)
{
    CachingAllocator allocator({}, 10);
    const DriverAddress recorded[] = {{0x1000'0000, 20 * kMiB}};
    EXPECT_TRUE(allocator.allocate(0, {20 * kMiB, kStream, {}, recorded}));
    EXPECT_TRUE(allocator.allocate(1, {20 * kMiB, kStream, {}, recorded}));
    EXPECT_EQ(allocator.blocks().block(allocator.blockOf(1)).address, CachingAllocator::kOwnAddresses);
    test::expectSound(allocator);
}

TEST(CachingAllocator, CollectsUnusedSegmentsOlderThanAverageAboveTheThreshold)
{
    AllocatorSettings settings;
    settings.garbageCollectionThreshold = 0.5;
    settings.memoryFraction = 1;
    Program program(settings, 200 * kMiB);
    const auto old = program.take(60 * kMiB); // search 1
    const auto young = program.take(50 * kMiB); // search 2
    program.free(old); // free since search 2
    program.take(5 * kMiB); // search 3 splits the old segment
    program.free(2);
    program.free(young);
    ASSERT_EQ(program.reserved(), 110 * kMiB);
    program.take(70 * kMiB); // ages 1 and 1: both are released, 10 MiB above the threshold
    EXPECT_EQ(program.reserved(), 70 * kMiB);
    EXPECT_EQ(program.allocator.calls().flushes, 0);
}

TEST(CachingAllocator, StopsCollectingWhenEnoughHasGone)
{
    AllocatorSettings settings;
    settings.garbageCollectionThreshold = 0.5;
    settings.memoryFraction = 1;
    Program program(settings, 200 * kMiB);
    const auto old = program.take(60 * kMiB); // search 1
    program.free(old); // free since search 1
    const auto young = program.take(62 * kMiB); // search 2
    program.free(young); // free since search 2
    program.take(70 * kMiB); // search 3: ages 2 and 1, 22 MiB above the threshold
    EXPECT_EQ(program.reserved(), 132 * kMiB) << "the old one went, the young one stays";
}

TEST(CachingAllocator, CollectsNothingWithoutAMemoryFraction)
{
    AllocatorSettings settings;
    settings.garbageCollectionThreshold = 0.5;
    Program program(settings, 200 * kMiB);
    program.free(program.take(120 * kMiB));
    program.take(10 * kMiB, kOtherStream);
    EXPECT_EQ(program.reserved(), 130 * kMiB);
}

TEST(CachingAllocator, StaysBelowWhatTheMemoryFractionAllows)
{
    AllocatorSettings settings;
    settings.memoryFraction = 0.5;
    Program program(settings, 200 * kMiB);
    program.take(102 * kMiB);
    EXPECT_FALSE(program.succeeded);
    program.take(100 * kMiB);
    EXPECT_TRUE(program.succeeded);
}

/// A request that needs new pages takes the lowest free range that is large enough. Here 60,000 requests each
/// pass 60,000 free ranges that are too small, which would take most of a minute if each range were checked.
TEST(CachingAllocator, FindsRoomForPagesPastManyHoles)
{
    constexpr AllocationIndex holes = 60'000;
    CachingAllocator allocator(expandable(), 3 * holes, {DriverFacts::kNoLimit, 0, 8 * kTiB});
    for (AllocationIndex i = 0; i < 2 * holes; ++i)
        ASSERT_TRUE(allocator.allocate(i, {20 * kMiB, kStream, {}}));
    for (AllocationIndex i = 0; i < 2 * holes; i += 2)
        allocator.free(i);
    allocator.emptyCache();
    EXPECT_EQ(allocator.reservedBytes(), holes * 20 * kMiB);
    Address end = allocator.blocks().block(allocator.blockOf(2 * holes - 1)).address + 20 * kMiB;
    for (AllocationIndex i = 2 * holes; i < 3 * holes; ++i, end += 40 * kMiB) {
        ASSERT_TRUE(allocator.allocate(i, {40 * kMiB, kStream, {}}));
        ASSERT_EQ(allocator.blocks().block(allocator.blockOf(i)).address, end);
    }
    test::expectSound(allocator);
}

TEST(CachingAllocator, MakesAnotherExpandableSegmentWhereItsReserveEnds)
{
    AllocatorSettings settings = expandable();
    settings.segmentReserve = 113 * kMiB; // six pages
    Program program(settings);
    const AllocationIndex first = program.take(100 * kMiB);
    EXPECT_EQ(program.address(program.take(20 * kMiB)), program.address(first) + 100 * kMiB);
    EXPECT_NE(program.block(program.take(2 * kMiB)).segment, program.block(first).segment);
    EXPECT_EQ(program.reserved(), 140 * kMiB);
}

TEST(CachingAllocator, RefusesWhatNoExpandableSegmentCanHold)
{
    AllocatorSettings settings = expandable();
    settings.segmentReserve = 113 * kMiB;
    Program program(settings);
    program.take(120 * kMiB);
    EXPECT_TRUE(program.succeeded);
    program.take(121 * kMiB);
    EXPECT_FALSE(program.succeeded);
    EXPECT_EQ(program.allocator.calls().flushes, 1) << "as for every failure";
}

TEST(CachingAllocator, RejectsAtOnceWhatExceedsTheDevice)
{
    AllocatorSettings settings;
    settings.throwOnCudaMallocOom = true;
    Program program(settings, 200 * kMiB);
    program.free(program.take(120 * kMiB));
    program.take(140 * kMiB);
    EXPECT_FALSE(program.succeeded) << "although it fits without the cache";
    EXPECT_EQ(program.reserved(), 120 * kMiB);
    EXPECT_EQ(program.allocator.calls().flushes, 0);
}

TEST(CachingAllocator, ChecksAMemoryFractionBeforeItRejects)
{
    AllocatorSettings settings;
    settings.throwOnCudaMallocOom = true;
    settings.memoryFraction = 0.9;
    Program program(settings, 200 * kMiB);
    program.free(program.take(120 * kMiB));
    program.take(140 * kMiB);
    EXPECT_TRUE(program.succeeded);
}

TEST(CachingAllocator, TakesTheLowestAddressOrTheOldestSegment)
{
    for (const bool isOldestFirst : {false, true}) {
        AllocatorSettings settings;
        settings.isOldestSegmentFirst = isOldestFirst;
        CachingAllocator allocator(settings, 10);
        const DriverAddress older{Address{8} * kGiB, 40 * kMiB};
        const DriverAddress newer{Address{4} * kGiB, 40 * kMiB};
        ASSERT_TRUE(allocator.allocate(0, {40 * kMiB, kStream, {}, {&older, 1}}));
        ASSERT_TRUE(allocator.allocate(1, {40 * kMiB, kStream, {}, {&newer, 1}}));
        allocator.free(1);
        allocator.free(0);
        ASSERT_TRUE(allocator.allocate(2, {40 * kMiB, kStream, {}}));
        EXPECT_EQ(allocator.blocks().block(allocator.blockOf(2)).address,
            isOldestFirst ? older.address : newer.address);
        test::expectSound(allocator);
    }
}

TEST(CachingAllocator, MapsWholePagesBeyondTheFractionWhereASegmentWouldFit)
{
    AllocatorSettings settings = expandable();
    settings.memoryFraction = 0.5;
    Program program(settings, 170 * kMiB);
    program.take(82 * kMiB);
    EXPECT_TRUE(program.succeeded) << "82 MiB are within 85";
    EXPECT_EQ(program.reserved(), 100 * kMiB) << "five pages";
}

TEST(CachingAllocator, HoldsTheFractionAgainstAWholeSegmentWhereOnePageWouldDo)
{
    AllocatorSettings settings = expandable();
    settings.memoryFraction = 0.5;
    Program program(settings, 140 * kMiB);
    program.take(25 * kMiB);
    ASSERT_EQ(program.reserved(), 40 * kMiB);
    program.take(34 * kMiB);
    EXPECT_FALSE(program.succeeded) << "15 MiB are free at the end, but 34 more than 40 are not within 70";
    program.take(30 * kMiB);
    EXPECT_TRUE(program.succeeded);
    EXPECT_EQ(program.reserved(), 60 * kMiB);
}

TEST(CachingAllocator, TriesARequestWithoutKeepingIt)
{
    Program program({}, 100 * kMiB);
    EXPECT_TRUE(program.allocator.tryRequest({80 * kMiB, kStream, {}}, false));
    EXPECT_EQ(program.allocator.allocatedBytes(), 0);
    EXPECT_EQ(program.reserved(), 80 * kMiB);
    EXPECT_FALSE(program.allocator.tryRequest({120 * kMiB, kStream, {}}, false));
}

TEST(CachingAllocator, RefusesSizesThatNoDeviceHas)
{
    Program program;
    program.take(-1);
    EXPECT_FALSE(program.succeeded);
    program.take(std::numeric_limits<Bytes>::max());
    EXPECT_FALSE(program.succeeded);
    EXPECT_EQ(program.reserved(), 0);
}

namespace {

AllocatorSettings randomSettings(test::Random& random)
{
    AllocatorSettings settings;
    settings.expandableSegments = random.oneIn(2);
    if (random.oneIn(2))
        settings.plainPools = {kPrivatePool};
    if (random.oneIn(4))
        settings.unsplitPools = {kPrivatePool};
    if (random.oneIn(4))
        settings.largeSegment = 32 * kMiB;
    if (random.oneIn(2))
        settings.maxSplitSize = 32 * kMiB;
    if (random.oneIn(2))
        settings.rounding.divisions.fill(4);
    if (random.oneIn(3)) {
        settings.garbageCollectionThreshold = 0.5;
        settings.memoryFraction = 1;
    }
    return settings;
}

Bytes randomSize(test::Random& random)
{
    const Bytes most[] = {4096, kMiB, 12 * kMiB, 80 * kMiB};
    return 1 + random.below(most[random.below(4)]);
}

void act(CachingAllocator& allocator, test::Random& random, AllocationIndex next)
{
    const auto any = static_cast<AllocationIndex>(random.below(next + 1));
    switch (random.below(20)) {
    case 0: allocator.emptyCache(); break;
    case 1: allocator.makeReleasable(kPrivatePool); break;
    case 2:
        if (allocator.blockOf(any) != kNoBlock)
            allocator.requestFree(any);
        break;
    case 3: allocator.tryRequest({randomSize(random), kStream, {}}, false); break;
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
    case 11: allocator.free(any); break;
    default:
        allocator.allocate(next,
            {randomSize(random), random.oneIn(4) ? kOtherStream : kStream,
                random.oneIn(5) ? kPrivatePool : PoolId()});
    }
}

} // namespace

TEST(CachingAllocator, IsSoundAfterWhateverItIsAskedFor)
{
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        test::Random random(seed);
        CachingAllocator allocator(randomSettings(random), 400, {512 * kMiB, 512 * kMiB, 0});
        for (AllocationIndex next = 0; next < 400; ++next) {
            act(allocator, random, next);
            test::expectSound(allocator);
            test::expectDisjoint(allocator);
            ASSERT_LE(allocator.reservedBytes(), 512 * kMiB);
            ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed << ", call " << next;
        }
    }
}

} // namespace highwater
