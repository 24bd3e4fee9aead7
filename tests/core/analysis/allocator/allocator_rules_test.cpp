#include "core/analysis/allocator/allocator_rules.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(AllocatorRules, SmallRequestsShareSegmentsOfTwoMebibytes)
{
    EXPECT_EQ(segmentSize(512), 2 * kMiB);
    EXPECT_EQ(segmentSize(kMiB), 2 * kMiB);
}

TEST(AllocatorRules, RequestsBelowTenMebibytesShareSegmentsOfTwenty)
{
    EXPECT_EQ(segmentSize(kMiB + 512), 20 * kMiB);
    EXPECT_EQ(segmentSize(10 * kMiB - 512), 20 * kMiB);
}

TEST(AllocatorRules, TheSizeOfTheSegmentsTheyShareCanBeSet)
{
    EXPECT_EQ(segmentSize(kMiB, 40 * kMiB), 2 * kMiB);
    EXPECT_EQ(segmentSize(kMiB + 512, 40 * kMiB), 40 * kMiB);
    EXPECT_EQ(segmentSize(10 * kMiB, 40 * kMiB), 10 * kMiB);
    EXPECT_EQ(pageSize(false, 40 * kMiB), 40 * kMiB);
    EXPECT_EQ(pageSize(true, 40 * kMiB), 2 * kMiB);
}

TEST(AllocatorRules, LargerRequestsHaveASegmentOfTheirOwnInWholeTwoMebibytes)
{
    EXPECT_EQ(segmentSize(10 * kMiB), 10 * kMiB);
    EXPECT_EQ(segmentSize(10 * kMiB + 512), 12 * kMiB);
    EXPECT_EQ(segmentSize(943'718'400), 943'718'400);
}

TEST(AllocatorRules, TheSmallPoolSplitsOffEverythingFrom512Bytes)
{
    EXPECT_TRUE(isWorthSplitting(1024, 512, true, {}, {}));
    EXPECT_FALSE(isWorthSplitting(1023, 512, true, {}, {}));
}

TEST(AllocatorRules, TheLargePoolSplitsOffMoreThanAMebibyte)
{
    EXPECT_FALSE(isWorthSplitting(20 * kMiB, 19 * kMiB, false, {}, {}));
    EXPECT_TRUE(isWorthSplitting(20 * kMiB, 19 * kMiB - 512, false, {}, {}));
}

TEST(AllocatorRules, WithExpandableSegmentsTheLargePoolSplitsLikeTheSmallOne)
{
    AllocatorSettings settings;
    settings.expandableSegments = true;
    EXPECT_TRUE(isWorthSplitting(20 * kMiB, 20 * kMiB - 512, false, {}, settings));
}

TEST(AllocatorRules, RequestsFromMaxSplitSizeOnGetWholeBlocks)
{
    AllocatorSettings settings;
    settings.maxSplitSize = 64 * kMiB;
    EXPECT_FALSE(isWorthSplitting(80 * kMiB, 64 * kMiB, false, {}, settings));
    EXPECT_TRUE(isWorthSplitting(80 * kMiB, 64 * kMiB - 512, false, {}, settings));
}

TEST(AllocatorRules, BlocksFromMaxSplitSizeOnServeOnlyRequestsOfAboutTheirSize)
{
    AllocatorSettings settings;
    settings.maxSplitSize = 64 * kMiB;
    EXPECT_FALSE(mayServe(64 * kMiB, 10 * kMiB, settings));
    EXPECT_TRUE(mayServe(62 * kMiB, 10 * kMiB, settings));
    EXPECT_TRUE(mayServe(84 * kMiB - 512, 64 * kMiB, settings));
    EXPECT_FALSE(mayServe(84 * kMiB, 64 * kMiB, settings));
    EXPECT_TRUE(mayServe(1000 * kMiB, 2 * kMiB, {}));
}

TEST(AllocatorRules, MaxSplitSizeIsTheFirstSizeThatIsNotSplit)
{
    AllocatorSettings settings;
    settings.maxSplitSize = 20 * kMiB;
    EXPECT_TRUE(isWorthSplitting(30 * kMiB, 20 * kMiB - 512, false, {}, settings));
    EXPECT_FALSE(isWorthSplitting(30 * kMiB, 20 * kMiB, false, {}, settings));
    EXPECT_TRUE(mayServe(20 * kMiB - 512, 2 * kMiB, settings));
    EXPECT_FALSE(mayServe(20 * kMiB, 20 * kMiB - 512, settings))
        << "a segment of 20 MiB serves nothing small";
    EXPECT_TRUE(mayServe(20 * kMiB, 20 * kMiB, settings));
}

TEST(AllocatorRules, HowMuchLargerAWholeBlockMayBeIsASettingAndElseALargeSegment)
{
    AllocatorSettings settings;
    settings.maxSplitSize = 64 * kMiB;
    settings.largeSegment = 32 * kMiB;
    EXPECT_TRUE(mayServe(96 * kMiB - 512, 64 * kMiB, settings));
    EXPECT_FALSE(mayServe(96 * kMiB, 64 * kMiB, settings));
    settings.maxNonSplitRounding = 40 * kMiB;
    EXPECT_TRUE(mayServe(104 * kMiB - 512, 64 * kMiB, settings));
    EXPECT_FALSE(mayServe(104 * kMiB, 64 * kMiB, settings));
}

TEST(AllocatorRules, AnUnsplitPoolGivesOutWholeBlocks)
{
    const PoolId pool(std::uint32_t{1});
    AllocatorSettings settings;
    settings.unsplitPools = {pool};
    EXPECT_FALSE(isWorthSplitting(20 * kMiB, 2 * kMiB, false, pool, settings));
    EXPECT_FALSE(isWorthSplitting(2 * kMiB, 512, true, pool, settings));
    EXPECT_TRUE(isWorthSplitting(20 * kMiB, 2 * kMiB, false, {}, settings));
}

TEST(AllocatorRules, APlainPoolBesideExpandableSegmentsSplitsByTheRuleOfTheRelease)
{
    const PoolId pool(std::uint32_t{1});
    AllocatorSettings settings;
    settings.expandableSegments = true;
    settings.plainPools = {pool};
    EXPECT_FALSE(isWorthSplitting(20 * kMiB, 20 * kMiB - 512, false, pool, settings));
    settings.plainPoolsSplitFinely = true;
    EXPECT_TRUE(isWorthSplitting(20 * kMiB, 20 * kMiB - 512, false, pool, settings));
}

} // namespace highwater
