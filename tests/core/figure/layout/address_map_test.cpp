#include "core/figure/layout/address_map.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

SegmentState stateOf(const std::string& path, std::int64_t event)
{
    const auto trace = loadFile(path, {})->trace;
    const AllocationTable allocations(*trace, 0);
    const LiveIndex live(allocations);
    return SegmentHistory(*trace, allocations, live).at(event);
}

SegmentState tiny()
{
    return stateOf(test::samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst"), 15);
}

AddressMapOptions optionsOf(double bytesPerPixel, SegmentOrder order = SegmentOrder::ByAddress)
{
    AddressMapOptions options;
    options.bytesPerPixel = bytesPerPixel;
    options.order = order;
    return options;
}

/// Checks that nothing is missing, overlaps, or is outside.
void expectSound(const SegmentState& state, const AddressMapOptions& options)
{
    const AddressMap map = addressMap(state, options);
    Bytes sum = 0;
    std::size_t blocks = 0;
    for (const MapCell& cell : map.cells) {
        ASSERT_FALSE(cell.blocks.isEmpty());
        sum += cell.bytes();
        blocks += cell.blocks.size();
    }
    ASSERT_EQ(sum, state.reservedBytes);
    ASSERT_EQ(blocks, state.blocks.size());
    int x = 0;
    int y = 0;
    for (const MapBox& box : map.boxes) {
        ASSERT_GE(box.width, 1);
        ASSERT_TRUE(box.y > y || box.x >= x) << "in reading order, without overlap";
        ASSERT_LE(box.x + box.width, options.width);
        ASSERT_LE(box.y + options.rowHeight, map.height);
        x = box.x + box.width;
        y = box.y;
    }
    std::size_t drawn = 0;
    for (const MapBox& box : map.boxes)
        drawn += static_cast<std::size_t>(box.width);
    std::size_t wide = 0;
    for (const MapStrip& strip : map.strips)
        wide += static_cast<std::size_t>(strip.width);
    ASSERT_EQ(drawn, wide) << "boxes fill their strips";
}

} // namespace

/// Each segment has its own heading. This would take most of a minute if all headings were searched for each
/// segment.
TEST(AddressMap, CostsWithTheSegmentsHoweverManyHeadingsThereAre)
{
    constexpr std::uint32_t count = 400'000;
    SegmentState state;
    for (std::uint32_t i = 0; i < count; ++i) {
        SegmentAt segment;
        segment.range = {Address{i} << 22, 2 * kMiB, StreamId(i), PoolId(), SegmentType::Small, false};
        segment.blocks = {i, i + 1};
        BlockAt hole;
        hole.address = segment.range.begin;
        hole.size = segment.freeBytes = segment.range.size;
        state.segments.push_back(segment);
        state.blocks.push_back(hole);
        state.reservedBytes += segment.range.size;
    }
    const AddressMapOptions options = optionsOf(65536, SegmentOrder::ByFreeList);
    EXPECT_EQ(addressMap(state, options).headings.size(), count);
    expectSound(state, options);
}

TEST(AddressMap, ShowsEveryBlockWhereThereIsRoom)
{
    const SegmentState state = tiny();
    const AddressMap map = addressMap(state, optionsOf(65536));
    EXPECT_EQ(map.cells.size(), 6u) << "the small segment's tiny block and its hole share one";
    EXPECT_EQ(map.strips.size(), 3u);
    EXPECT_EQ(map.boxes[0].width, 64) << "4 MiB at 64 KiB a pixel";
    EXPECT_EQ(map.height, 14) << "one row";
}

TEST(AddressMap, WrapsSegmentsAsTextIsWrapped)
{
    AddressMapOptions options = optionsOf(65536);
    options.width = 100;
    const AddressMap map = addressMap(tiny(), options);
    ASSERT_GE(map.strips.size(), 5u);
    EXPECT_TRUE(map.strips[0].begins);
    EXPECT_FALSE(map.strips[0].ends);
    EXPECT_EQ(map.strips[0].width, 100);
    EXPECT_FALSE(map.strips[1].begins);
    EXPECT_EQ(map.strips[1].y, options.rowHeight + options.rowGap);
}

TEST(AddressMap, KnowsTheAddressesOfTheRowsOfAWrappedSegment)
{
    AddressMapOptions options = optionsOf(65536);
    options.width = 100;
    const SegmentState state = tiny();
    const AddressMap map = addressMap(state, options);
    const std::vector<RowAddress> rows = rowAddresses(state, map);
    ASSERT_GE(rows.size(), 2u);
    const MappedRange range = state.segments.range(map.strips[0].segment);
    EXPECT_EQ(rows[0].y, map.strips[0].y);
    EXPECT_EQ(rows[0].address, range.begin);
    EXPECT_EQ(rows[1].y, map.strips[1].y);
    EXPECT_NEAR(static_cast<double>(rows[1].address - range.begin), 100 * 65536.0, 65536.0);
}

TEST(AddressMap, GivesTheRowOfAWholeSegmentItsAddress)
{
    const SegmentState state = tiny();
    AddressMapOptions options = optionsOf(1e6);
    options.width = 1000;
    const AddressMap map = addressMap(state, options);
    const std::vector<RowAddress> rows = rowAddresses(state, map);
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows[0].y, map.strips[0].y);
    EXPECT_EQ(rows[0].address, state.segments.range(map.strips[0].segment).begin);
}

TEST(AddressMap, LosesNothingAtAnyScaleAndInAnyOrder)
{
    for (const char* name :
        {"tiny-hand-checked", "expandable-segments", "private-pool", "r5-flan-t5-xl-after"}) {
        const SegmentState state
            = stateOf(test::samplePath(std::string("pytorch-snapshot/") + name + ".pickle.zst"), 20);
        for (const double scale : {4096.0, 1e5, 3e6, 1e9})
            for (const SegmentOrder order : {SegmentOrder::ByFreeList, SegmentOrder::ByAddress,
                     SegmentOrder::BySize, SegmentOrder::ByFreeBytes}) {
                expectSound(state, optionsOf(scale, order));
                if (testing::Test::HasFatalFailure())
                    return;
            }
    }
}

TEST(AddressMap, LosesNothingOfARealFileWithHundredsOfSegments)
{
    const auto path = test::realFilePath("snapshots/transformer-fullstep.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const SegmentState state = stateOf(*path, 5701);
    for (const double scale : {1e5, 1e6, 1e7})
        expectSound(state, optionsOf(scale, SegmentOrder::ByFreeList));
}

TEST(AddressMap, PutsAHeadingOverEachPoolStreamAndSizeClass)
{
    const AddressMap map = addressMap(tiny(), optionsOf(65536, SegmentOrder::ByFreeList));
    ASSERT_EQ(map.headings.size(), 2u);
    EXPECT_EQ(map.headings[0].y, 0);
    EXPECT_EQ(map.strips[0].y, 22);
    EXPECT_GT(map.headings[1].y, map.strips[0].y);
}

TEST(AddressMap, PutsWhatIsAskedForFirst)
{
    const SegmentState state = tiny();
    const AddressMap bySize = addressMap(state, optionsOf(65536, SegmentOrder::BySize));
    EXPECT_EQ(state.segments[bySize.strips[0].segment].range.size, 20'971'520);
    EXPECT_EQ(state.segments[bySize.strips[2].segment].range.size, 2'097'152);
    const AddressMap byFree = addressMap(state, optionsOf(65536, SegmentOrder::ByFreeBytes));
    EXPECT_GE(state.segments[byFree.strips[0].segment].freeBytes,
        state.segments[byFree.strips[1].segment].freeBytes);
}

TEST(AddressMap, FindsTheBoxUnderAPlace)
{
    const AddressMap map = addressMap(tiny(), optionsOf(65536));
    EXPECT_EQ(map.boxAt(0, 0, 14), 0);
    EXPECT_EQ(map.boxAt(63, 13, 14), 0);
    EXPECT_EQ(map.boxAt(64, 0, 14), 1);
    EXPECT_EQ(map.boxAt(0, 14, 14), -1);
    EXPECT_EQ(map.boxAt(321, 0, 14), -1) << "between two segments";
}

TEST(AddressMap, FitsTheHeightWhereItCan)
{
    const SegmentState state
        = stateOf(test::samplePath("pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst"), 5000);
    AddressMapOptions options = optionsOf(1, SegmentOrder::ByFreeList);
    for (const int height : {120, 400, 3000}) {
        options.bytesPerPixel = scaleToFit(state, options, height);
        EXPECT_LE(addressMap(state, options).height, height);
        options.bytesPerPixel *= 0.9;
        EXPECT_GT(addressMap(state, options).height, height) << "no finer scale would";
    }
}

TEST(AddressMap, OfNothingIsEmpty)
{
    const SegmentState state;
    EXPECT_EQ(addressMap(state, optionsOf(1)).height, 0);
    EXPECT_GT(scaleToFit(state, optionsOf(1), 100), 0);
}

} // namespace highwater
