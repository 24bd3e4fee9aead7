#include "core/analysis/mapped_ranges.h"

#include <gtest/gtest.h>

#include "tests/support/snapshot_builder.h"

namespace highwater {

namespace {

MappedRange range(Address begin, Bytes size, bool expandable = false, std::uint32_t stream = 0)
{
    return {begin, size, StreamId(stream), PoolId(), SegmentType::Large, expandable};
}

std::string textOf(const MappedRanges& ranges)
{
    std::string text;
    for (const MappedRange& each : ranges.ranges())
        text += std::to_string(each.begin) + "+" + std::to_string(each.size) + " ";
    return text;
}

} // namespace

TEST(MappedRanges, KeepSegmentsApartThatTouch)
{
    MappedRanges ranges;
    EXPECT_TRUE(ranges.add(range(20, 10)));
    EXPECT_TRUE(ranges.add(range(10, 10)));
    EXPECT_EQ(textOf(ranges), "10+10 20+10 ");
}

TEST(MappedRanges, JoinExpandablePiecesOfOneStream)
{
    MappedRanges ranges;
    ranges.add(range(10, 10, true));
    ranges.add(range(30, 10, true));
    ranges.add(range(20, 10, true));
    EXPECT_EQ(textOf(ranges), "10+30 ");
    ranges.add(range(40, 10, true, 1));
    EXPECT_EQ(textOf(ranges), "10+30 40+10 ");
}

TEST(MappedRanges, TakeBytesOutOfTheMiddle)
{
    MappedRanges ranges;
    ranges.add(range(10, 30, true));
    EXPECT_TRUE(ranges.remove(20, 5));
    EXPECT_EQ(textOf(ranges), "10+10 25+15 ");
    EXPECT_TRUE(ranges.remove(10, 10));
    EXPECT_TRUE(ranges.remove(30, 10));
    EXPECT_EQ(textOf(ranges), "25+5 ");
}

TEST(MappedRanges, SayWhenSomethingIsHeldAlreadyOrNotAtAll)
{
    MappedRanges ranges;
    ranges.add(range(10, 10));
    EXPECT_FALSE(ranges.add(range(15, 10)));
    EXPECT_FALSE(ranges.remove(15, 10));
    EXPECT_EQ(textOf(ranges), "10+5 ");
}

TEST(MappedRanges, RefuseWhatWrapsAround)
{
    MappedRanges ranges;
    EXPECT_FALSE(ranges.add(range(~Address{0} - 5, 10)));
    EXPECT_FALSE(ranges.add(range(10, -1)));
    EXPECT_FALSE(ranges.add(range(10, 0)));
    EXPECT_TRUE(ranges.ranges().empty());
}

TEST(MappedRanges, FindWhatHoldsAnAddress)
{
    MappedRanges ranges;
    ranges.add(range(10, 10));
    EXPECT_EQ(ranges.at(9), nullptr);
    EXPECT_EQ(ranges.at(10)->begin, 10u);
    EXPECT_EQ(ranges.at(19)->begin, 10u);
    EXPECT_EQ(ranges.at(20), nullptr);
}

TEST(MappedRanges, PagesInUnitsOfTwentyMebibytesAreThoseOfTheLargePool)
{
    const auto trace = test::SnapshotBuilder()
                           .event(Action::SegmentMap, 0x7000'0000, 20 * kMiB)
                           .event(Action::SegmentUnmap, 0x7000'0000, 6 * kMiB)
                           .event(Action::SegmentAlloc, 0x7000'0000, 6 * kMiB)
                           .finish();
    EXPECT_EQ(rangeOfEvent(*trace, 0, 0).type, SegmentType::Large);
    EXPECT_EQ(rangeOfEvent(*trace, 0, 1).type, SegmentType::Small) << "three pages at once";
    EXPECT_EQ(rangeOfEvent(*trace, 0, 2).type, SegmentType::Large);
}

} // namespace highwater
