#include "core/figure/segments/address_map_shapes.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

constexpr FigureColor kBlue = 0x0000ff;

/// Returns a segment of 100 pixels: a block of 40, a pending free of 20, a free block of 40.
SegmentState oneSegment()
{
    SegmentState state;
    SegmentAt segment;
    segment.range.begin = 0x1000;
    segment.range.size = 100 * kKiB;
    segment.blocks = {0, 3};
    state.segments.push_back(segment);
    const auto block = [](Bytes from, Bytes size, AllocationIndex allocation, BlockState of) {
        BlockAt at;
        at.address = 0x1000 + static_cast<Address>(from * kKiB);
        at.size = size * kKiB;
        at.allocation = allocation;
        at.state = of;
        return at;
    };
    state.blocks.push_back(block(0, 40, 0, BlockState::Active));
    state.blocks.push_back(block(40, 20, 1, BlockState::PendingFree));
    state.blocks.push_back(block(60, 40, AllocationTable::kNoAllocation, BlockState::Inactive));
    return state;
}

struct Drawn
{
    std::vector<FigureRect> rects;
    std::vector<FigureLine> lines;
    std::vector<FigurePolygon> polygons;
};

Drawn drawnMap(int top, int bottom, std::optional<std::uint32_t> marked = {},
    const std::function<bool(AllocationIndex)>& isKept = {})
{
    const SegmentState state = oneSegment();
    AddressMapOptions options;
    options.width = 100;
    options.order = SegmentOrder::ByAddress;
    options.bytesPerPixel = kKiB;
    const AddressMapLook look{
        .colorOf = [](AllocationIndex) { return kBlue; }, .isKept = isKept, .marked = marked};
    Drawn found;
    for (const FigureShape& shape :
        addressMapShapes(state, addressMap(state, options), look, top, bottom, {5, 7})) {
        if (const auto* rect = std::get_if<FigureRect>(&shape))
            found.rects.push_back(*rect);
        if (const auto* line = std::get_if<FigureLine>(&shape))
            found.lines.push_back(*line);
        if (const auto* polygon = std::get_if<FigurePolygon>(&shape))
            found.polygons.push_back(*polygon);
    }
    return found;
}

} // namespace

TEST(AddressMapShapes, BlocksAreFilledHolesAreEmptyAndSegmentsOutlined)
{
    const Drawn map = drawnMap(0, 100);
    ASSERT_EQ(map.rects.size(), 7); // three boxes and four edges
    EXPECT_EQ(map.rects[0].fill, kBlue);
    EXPECT_EQ(map.rects[0].x, 5);
    EXPECT_EQ(map.rects[0].y, 7);
    EXPECT_EQ(map.rects[0].width, 39); // a background line separates neighbours
    EXPECT_EQ(map.rects[2].fill, FigurePalette::light().background);
    EXPECT_EQ(map.rects[3].fill, FigurePalette::light().quietText);
}

TEST(AddressMapShapes, HatchPendingFreesWithinTheirBox)
{
    const Drawn map = drawnMap(0, 100);
    ASSERT_FALSE(map.lines.empty());
    for (const FigureLine& line : map.lines)
        for (const FigurePoint& point : line.points) {
            EXPECT_GE(point.x, 45);
            EXPECT_LE(point.x, 64);
            EXPECT_GE(point.y, 7);
            EXPECT_LE(point.y, 21);
        }
}

TEST(AddressMapShapes, HatchBlocksKeptFromEarlierSteps)
{
    EXPECT_TRUE(drawnMap(0, 100).polygons.empty());
    const Drawn map = drawnMap(0, 100, {}, [](AllocationIndex i) { return i == 0; });
    ASSERT_EQ(map.polygons.size(), 1u);
    EXPECT_TRUE(map.polygons[0].hatched);
    EXPECT_EQ(map.polygons[0].fill, kBlue);
    EXPECT_EQ(map.polygons[0].points[2].x, 44);
}

TEST(AddressMapShapes, MarkASegmentAndLeaveOutRowsThatAreNotAskedFor)
{
    EXPECT_EQ(drawnMap(0, 100, 0).rects[3].fill, FigurePalette::light().accent);
    EXPECT_EQ(drawnMap(0, 100, 0).rects[3].height, 2);
    EXPECT_TRUE(drawnMap(50, 100).rects.empty());
}

} // namespace highwater
