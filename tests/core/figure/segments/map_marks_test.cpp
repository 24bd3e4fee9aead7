#include "core/figure/segments/map_marks.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

/// Returns a segment of 100 KiB: a block of 40, a free block of 20, a block of 40.
AllocatorMoment momentWithFreeBlock(Bytes request)
{
    AllocatorMoment moment;
    SegmentAt segment;
    segment.range.begin = 0x10000;
    segment.range.size = 100 * kKiB;
    segment.blocks = {0, 3};
    moment.state.segments.push_back(segment);
    const auto add = [&](Bytes from, Bytes size, BlockState of) {
        BlockAt block;
        block.address = 0x10000 + static_cast<Address>(from * kKiB);
        block.size = size * kKiB;
        block.state = of;
        moment.state.blocks.push_back(block);
    };
    add(0, 40, BlockState::Active);
    add(40, 20, BlockState::Inactive);
    add(60, 40, BlockState::Active);
    moment.state.event = 7;
    moment.ghost = RequestGhost{.event = 7, .bytes = request, .block = 1, .fits = request <= 20 * kKiB};
    moment.change.begin = 0x10000 + 60 * kKiB;
    moment.change.length = 40 * kKiB;
    return moment;
}

/// Returns a map with a pixel for each KiB.
AddressMap mapOf(const AllocatorMoment& moment, int width)
{
    return addressMap(
        moment.state, {.width = width, .order = SegmentOrder::ByAddress, .bytesPerPixel = kKiB});
}

FigureLine ghostPart(std::size_t part, Bytes request, int width = 200)
{
    const AllocatorMoment moment = momentWithFreeBlock(request);
    return std::get<FigureLine>(requestGhostShapes(moment, mapOf(moment, width), {}).at(part));
}

} // namespace

TEST(RequestGhostShapes, OutlineNothingButTheFreeBlock)
{
    const FigureLine outline = ghostPart(0, 50 * kKiB);
    EXPECT_EQ(outline.points[0].x, 40);
    EXPECT_EQ(outline.points[1].x, 60);
}

TEST(RequestGhostShapes, ShowTheLengthOfTheRequestAtTheMapsScaleBelowTheRow)
{
    const FigureLine outline = ghostPart(0, 50 * kKiB);
    const FigureLine length = ghostPart(1, 50 * kKiB);
    EXPECT_EQ(length.points[1].x, 40);
    EXPECT_EQ(length.points[2].x, 90);
    EXPECT_GT(length.points[1].y, outline.points[2].y);
}

TEST(RequestGhostShapes, StayOnTheMap)
{
    const FigureLine length = ghostPart(1, 90 * kKiB, 100);
    EXPECT_EQ(length.points[1].x, 10);
    EXPECT_EQ(length.points[2].x, 100);
}

TEST(RequestGhostText, IsLeftToTheVerdictAtTheFailure)
{
    EXPECT_EQ(requestGhostText(momentWithFreeBlock(50 * kKiB)), "");
}

TEST(RequestGhostText, SaysByHowMuchTheFreeBlockIsTooSmallBeforeTheFailure)
{
    AllocatorMoment moment = momentWithFreeBlock(50 * kKiB);
    moment.state.event = 3;
    EXPECT_EQ(requestGhostText(moment),
        "The 50 KiB that failed later, at event 7, is 30 KiB larger than the outlined free block");
}

TEST(RequestGhostText, SaysThatTheRequestFitsAfterTheFailure)
{
    AllocatorMoment moment = momentWithFreeBlock(20 * kKiB);
    moment.state.event = 9;
    EXPECT_EQ(
        requestGhostText(moment), "The 20 KiB that failed earlier, at event 7, fits the outlined free block");
}

TEST(RequestGhostShapes, AreInTheColorOfDangerOnlyAtTheFailure)
{
    AllocatorMoment moment = momentWithFreeBlock(50 * kKiB);
    const FigurePalette palette = FigurePalette::light();
    const auto colorOfOutline = [&] {
        return std::get<FigureLine>(requestGhostShapes(moment, mapOf(moment, 200), {}).at(0)).color;
    };
    EXPECT_EQ(colorOfOutline(), palette.danger);
    moment.state.event = 3;
    EXPECT_EQ(colorOfOutline(), palette.quietText);
}

TEST(RequestGhostShapes, AreNoneWithoutAFailedRequest)
{
    AllocatorMoment moment = momentWithFreeBlock(50 * kKiB);
    moment.ghost.reset();
    EXPECT_TRUE(requestGhostShapes(moment, mapOf(moment, 200), {}).empty());
}

TEST(ChangeOutline, HasAPartInEachRowOfTheMap)
{
    const AllocatorMoment moment = momentWithFreeBlock(50 * kKiB);
    const auto shapes = changeOutline(moment, mapOf(moment, 80), {});
    ASSERT_EQ(shapes.size(), 2u);
    EXPECT_EQ(std::get<FigureLine>(shapes[0]).points[0].x, 60);
    EXPECT_EQ(std::get<FigureLine>(shapes[0]).points[1].x, 80);
    EXPECT_EQ(std::get<FigureLine>(shapes[1]).points[1].x, 20);
}

TEST(StripsOf, AreNoneOutsideOfTheSegments)
{
    const AllocatorMoment moment = momentWithFreeBlock(50 * kKiB);
    EXPECT_TRUE(findStrips(moment.state, mapOf(moment, 80), 0x100, 512).empty());
    EXPECT_TRUE(findStrips(moment.state, mapOf(moment, 80), 0x10000000, 512).empty());
}

} // namespace highwater
