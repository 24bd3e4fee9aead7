#include "core/figure/raster/band_raster.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "tests/support/bands_at.h"
#include "tests/support/crowded_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

constexpr AllocationIndex kEmpty = BandRaster::kEmpty;
using Pixels = std::vector<AllocationIndex>;

struct Stack
{
    explicit Stack(std::shared_ptr<const Trace> of)
        : trace(std::move(of))
        , allocations(*trace, 0)
        , index(allocations)
        , curve(*trace, allocations)
    {
    }
    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    LiveIndex index;
    UsageCurve curve;
};

/// Returns the pixels of one column at the last event of a trace.
Pixels paint(std::string_view text, const ByteScale& scale, int height)
{
    const Stack stack(test::traceFromText(text));
    const std::int64_t last = stack.curve.eventCount() - 1;
    return rasterizeBands(stack.index, {{last, stack.curve.at(last)}}, scale, height).pixels;
}

/// Computes the column pixel by pixel, following the header's definition: among the bands that overlap a row,
/// the one with the most bytes.
Pixels slowColumn(const Stack& stack, std::int64_t event, const ByteScale& scale, int height,
    const BandGroups* groups = nullptr)
{
    const std::vector<Band> bands = test::bandsAt(stack.index, event, groups);
    Bytes total = 0;
    for (const Band& band : bands)
        total += band.bytes;
    Pixels pixels(static_cast<std::size_t>(height), kEmpty);
    for (int row = 0; row < height; ++row) {
        const double low = scale.bottomBytes + scale.bytesPerPixel * row;
        const double high = low + scale.bytesPerPixel;
        const double middle = low + scale.bytesPerPixel / 2;
        if (static_cast<double>(total) < middle && !(row == 0 && static_cast<double>(total) > low))
            continue;
        Bytes most = 0;
        for (const Band& band : bands)
            if (static_cast<double>(band.offset) < high && static_cast<double>(band.offset + band.bytes) > low
                && band.bytes > most) {
                most = band.bytes;
                pixels[static_cast<std::size_t>(row)] = band.allocation;
            }
    }
    return pixels;
}

/// Like `paint`, with these allocations emphasised.
Pixels paintEmphasised(
    std::string_view text, const std::vector<AllocationIndex>& emphasised, const ByteScale& scale, int height)
{
    const Stack stack(test::traceFromText(text));
    std::vector<bool> emphasis(stack.allocations.size());
    for (const AllocationIndex i : emphasised)
        emphasis[i] = true;
    const std::int64_t last = stack.curve.eventCount() - 1;
    return rasterizeBands(stack.index, {{last, stack.curve.at(last)}}, scale, height, nullptr, &emphasis)
        .pixels;
}

/// Returns the part of a row, in pixels, that a band covers.
double shareOf(const Band& band, const ByteScale& scale, int row)
{
    const double low = scale.bottomBytes + scale.bytesPerPixel * row;
    const double from = std::max(static_cast<double>(band.offset), low);
    const double to = std::min(static_cast<double>(band.offset + band.bytes), low + scale.bytesPerPixel);
    return std::max(to - from, 0.0) / scale.bytesPerPixel;
}

/// Returns the largest band on one side that overlaps the row.
AllocationIndex largestIn(const std::vector<Band>& bands, const ByteScale& scale, int row,
    const std::vector<bool>& emphasis, bool emphasised)
{
    Bytes most = 0;
    AllocationIndex largest = kEmpty;
    for (const Band& band : bands)
        if (emphasis[band.allocation] == emphasised && shareOf(band, scale, row) > 0 && band.bytes > most) {
            most = band.bytes;
            largest = band.allocation;
        }
    return largest;
}

/// Computes the emphasis row by row, following the header's definition. `filled` is the column without
/// emphasis.
Pixels slowEmphasis(const std::vector<Band>& bands, const std::vector<bool>& emphasis, const Pixels& filled,
    const ByteScale& scale)
{
    Pixels pixels = filled;
    double owed = 0;
    const int height = static_cast<int>(filled.size());
    for (int row = 0; row < height; ++row) {
        double share = 0;
        for (const Band& band : bands)
            share += emphasis[band.allocation] ? shareOf(band, scale, row) : 0;
        owed += share;
        const AllocationIndex strong = largestIn(bands, scale, row, emphasis, true);
        const AllocationIndex plain = largestIn(bands, scale, row, emphasis, false);
        const auto at = static_cast<std::size_t>(row);
        if (filled[at] == kEmpty) {
            if (strong != kEmpty && owed >= 0.5 && !emphasis[pixels[at - 1]])
                pixels[at - 1] = strong;
            break;
        }
        const bool shows = plain == kEmpty || (strong != kEmpty && owed >= 0.5);
        owed -= shows ? 1 : 0;
        pixels[at] = shows ? strong : plain;
    }
    return pixels;
}

/// A column of a random trace with random emphasis, on a scale whose arithmetic is exact.
struct EmphasisedColumn
{
    EmphasisedColumn(const Stack& stack, std::uint32_t seed, std::int64_t event)
        : scale{seed % 3 == 0 ? 1024.0 : 0.0, seed % 2 ? 256.0 : 64.0}
        , bands(test::bandsAt(stack.index, event))
        , emphasis(stack.allocations.size())
    {
        test::Random random(seed * 1000 + static_cast<std::uint32_t>(event));
        for (std::size_t i = 0; i < emphasis.size(); ++i)
            emphasis[i] = random.oneIn(1 + seed % 7);
        const std::vector<PixelColumn> column{{event, stack.curve.at(event)}};
        full = rasterizeBands(stack.index, column, scale, kHeight).pixels;
        pixels = rasterizeBands(stack.index, column, scale, kHeight, nullptr, &emphasis).pixels;
        for (const Band& band : bands)
            for (int row = 0; row < kHeight && emphasis[band.allocation]; ++row)
                emphasisedPixels += shareOf(band, scale, row);
        for (const AllocationIndex pixel : pixels)
            shown += pixel != kEmpty && emphasis[pixel];
    }
    static constexpr int kHeight = 80;
    ByteScale scale;
    std::vector<Band> bands;
    std::vector<bool> emphasis;
    Pixels full;
    Pixels pixels;
    double emphasisedPixels = 0; ///< pixels that the visible emphasised bytes would fill
    int shown = 0;
};

void forRandomColumns(const std::function<void(const EmphasisedColumn&)>& check)
{
    for (std::uint32_t seed = 0; seed < 42; ++seed) {
        const Stack stack(test::randomTrace(seed, {.events = 200, .maxBytes = seed % 2 ? 1024 : 128}));
        for (std::int64_t event = -1; event < 200; event += 9) {
            SCOPED_TRACE(::testing::Message() << "seed " << seed << " event " << event);
            check(EmphasisedColumn(stack, seed, event));
        }
    }
}

/// A picture with far more bands than pixels, cut off at the bottom and the top; its arithmetic is exact.
struct Crowd
{
    explicit Crowd(std::uint32_t seed, std::optional<BandMode> mode)
        : stack(test::crowdedTrace(seed, 3000))
        , sites(*stack.trace, stack.allocations)
        , columns(pixelColumns(stack.curve, EventScale(*stack.trace, 0, AxisKind::Event), -1,
              static_cast<double>(stack.curve.eventCount()), 300))
    {
        if (mode)
            groups = groupBands(*stack.trace, stack.index, sites, stack.curve.peak().event, *mode);
        test::Random random(seed);
        for (std::size_t i = 0; i < stack.allocations.size(); ++i)
            emphasis.push_back(random.oneIn(1 + seed % 5));
        for (const PixelColumn& column : columns)
            bandCount += test::bandsAt(stack.index, column.event).size();
    }
    const BandGroups* order() const { return groups ? &*groups : nullptr; }
    BandRaster paint(const std::vector<bool>* emphasised = nullptr) const
    {
        return rasterizeBands(stack.index, columns, scale, kHeight, order(), emphasised);
    }
    /// Paints only these columns of the picture.
    BandRaster paintPart(std::size_t first, std::size_t last, const std::vector<bool>* emphasised,
        const BandRaster* known = nullptr) const
    {
        const std::vector<PixelColumn> part(columns.begin() + static_cast<std::ptrdiff_t>(first),
            columns.begin() + static_cast<std::ptrdiff_t>(last));
        return rasterizeBands(stack.index, part, scale, kHeight, order(), emphasised, known);
    }
    static Pixels column(const BandRaster& raster, std::size_t x)
    {
        const auto begin = raster.pixels.begin() + static_cast<std::ptrdiff_t>(x * kHeight);
        return {begin, begin + kHeight};
    }
    static constexpr int kHeight = 40;
    Stack stack;
    CallSites sites;
    std::vector<PixelColumn> columns;
    std::optional<BandGroups> groups;
    std::vector<bool> emphasis;
    ByteScale scale{3 << 16, 1 << 16};
    std::size_t bandCount = 0; ///< in all columns
};

constexpr std::optional<BandMode> kCrowdModes[] = {std::nullopt, BandMode::Site, BandMode::SizeClass};

/// Returns two groups with kept parts below them, for a trace of three steps of equal length.
BandGroups keptInThirds(const Stack& stack)
{
    const std::int64_t count = stack.allocations.eventCount();
    StepTable steps;
    steps.source = StepSource::Frames;
    for (std::int64_t i = 0; i < 3; ++i) {
        Step step;
        step.begin = count * i / 3;
        step.end = count * (i + 1) / 3;
        steps.steps.push_back(step);
    }
    BandGroups groups;
    groups.groups.resize(4);
    groups.keptRankOf = {0, 1, 0, 1};
    for (AllocationIndex i = 0; i < stack.allocations.size(); ++i)
        groups.rankOf.push_back(static_cast<GroupRank>(2 + i % 2));
    groups.keptBlocks = std::make_shared<const KeptBlocks>(stack.allocations,
        PhaseTable({{0, count, Phase::Forward, Grade::A}}), steps, CategoryTable(stack.allocations.size()));
    return groups;
}

} // namespace

TEST(BandRaster, StacksBandsFromTheBottomInTheOrderOfTheTable)
{
    EXPECT_EQ(paint("alloc a 20\nalloc b 10\nend", {0, 10}, 5), (Pixels{0, 0, 1, kEmpty, kEmpty}));
}

TEST(BandRaster, GivesASharedPixelToTheBandWithTheMostBytes)
{
    EXPECT_EQ(paint("alloc a 3\nalloc b 7\nalloc c 10\nend", {0, 10}, 3), (Pixels{1, 2, kEmpty}));
}

TEST(BandRaster, GivesASharedPixelToTheLowestOfEqualBands)
{
    EXPECT_EQ(paint("alloc a 5\nalloc b 5\nend", {0, 10}, 2), (Pixels{0, kEmpty}));
}

TEST(BandRaster, JudgesASharedPixelByWholeBandsAndNotByTheirShareOfIt)
{
    // c has the smaller part of row 1, but the most bytes.
    EXPECT_EQ(paint("alloc a 10\nalloc b 9\nalloc c 31\nend", {0, 10}, 5), (Pixels{0, 2, 2, 2, 2}));
}

TEST(BandRaster, FillsTheTopRowWhenTheTotalReachesItsMiddle)
{
    EXPECT_EQ(paint("alloc a 15\nend", {0, 10}, 3), (Pixels{0, 0, kEmpty}));
    EXPECT_EQ(paint("alloc a 14\nend", {0, 10}, 3), (Pixels{0, kEmpty, kEmpty}));
    EXPECT_EQ(paint("alloc a 20\nend", {0, 10}, 3), (Pixels{0, 0, kEmpty}));
}

TEST(BandRaster, AlwaysFillsTheLowestRowOfAColumnWithAnyByte)
{
    EXPECT_EQ(paint("alloc a 1\nend", {0, 1000}, 2), (Pixels{0, kEmpty}));
}

TEST(BandRaster, LeavesAColumnWithoutBytesEmpty)
{
    EXPECT_EQ(paint("alloc a 1\nfree_once a", {0, 10}, 2), (Pixels{kEmpty, kEmpty}));
}

TEST(BandRaster, CutsWhatLiesBelowAndAboveTheView)
{
    EXPECT_EQ(paint("alloc a 100\nalloc b 100\nalloc c 100\nend", {150, 25}, 4), (Pixels{1, 1, 2, 2}));
}

TEST(BandRaster, TakesAViewAboveEverything)
{
    EXPECT_EQ(paint("alloc a 100\nend", {200, 10}, 2), (Pixels{kEmpty, kEmpty}));
}

TEST(BandRaster, PaintsNothingForAllocationsWithoutBytes)
{
    EXPECT_EQ(paint("alloc a 0\nalloc b 20\nalloc c 0\nend", {0, 10}, 3), (Pixels{1, 1, kEmpty}));
}

TEST(BandRaster, OfNoHeightHasNoPixels)
{
    EXPECT_TRUE(paint("alloc a 5\nend", {0, 1}, 0).empty());
    EXPECT_TRUE(paint("alloc a 5\nend", {0, 1}, -3).empty());
}

TEST(BandRaster, IsExactlyWhatThePixelsOfASlowPainterAre)
{
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Stack stack(test::randomTrace(seed, {.events = 200, .maxBytes = seed % 2 ? 4096 : 64}));
        const EventScale axis(*stack.trace, 0, AxisKind::Event);
        const int height = 60;
        const ByteScale scale{
            seed % 3 == 0 ? 0.0 : 256.0, static_cast<double>(stack.curve.peak().bytes) / 64 + 1};
        const BandRaster raster
            = rasterizeBands(stack.index, pixelColumns(stack.curve, axis, -1, 200, 90), scale, height);
        ASSERT_EQ(raster.width, 90);
        for (int x = 0; x < raster.width; ++x) {
            const Pixels wanted
                = slowColumn(stack, raster.columns[static_cast<std::size_t>(x)].event, scale, height);
            for (int row = 0; row < height; ++row)
                ASSERT_EQ(raster.at(x, row), wanted[static_cast<std::size_t>(row)])
                    << "seed " << seed << " column " << x << " row " << row;
        }
    }
}

TEST(BandRaster, IsTheSameWhetherColumnsAreDrawnTogetherOrAlone)
{
    const Stack stack(test::randomTrace(50, {.events = 20'000}));
    const EventScale axis(*stack.trace, 0, AxisKind::Event);
    const ByteScale scale{0, static_cast<double>(stack.curve.peak().bytes) / 40};
    const std::vector<PixelColumn> columns = pixelColumns(stack.curve, axis, -1, 20'000, 64);
    const BandRaster together = rasterizeBands(stack.index, columns, scale, 40);
    for (int x = 0; x < together.width; ++x) {
        const BandRaster alone
            = rasterizeBands(stack.index, {columns[static_cast<std::size_t>(x)]}, scale, 40);
        for (int row = 0; row < 40; ++row)
            ASSERT_EQ(together.at(x, row), alone.at(0, row));
    }
}

TEST(BandRaster, ShowsTheTotalOfEachColumnToHalfAPixel)
{
    const Stack stack(test::randomTrace(51));
    const EventScale axis(*stack.trace, 0, AxisKind::Event);
    const ByteScale scale{0, static_cast<double>(stack.curve.peak().bytes) / 100};
    const BandRaster raster
        = rasterizeBands(stack.index, pixelColumns(stack.curve, axis, -1, 300, 70), scale, 110);
    for (int x = 0; x < raster.width; ++x) {
        int filled = 0;
        while (filled < raster.height && raster.at(x, filled) != kEmpty)
            ++filled;
        const double exact
            = static_cast<double>(raster.columns[static_cast<std::size_t>(x)].bytes) / scale.bytesPerPixel;
        ASSERT_NEAR(filled, exact, exact < 1 ? 1.0 : 0.5 + 1e-9) << "column " << x;
    }
}

TEST(BandRaster, ShowsAnEmphasisedBandThinnerThanAPixel)
{
    EXPECT_EQ(
        paintEmphasised("alloc a 13\nalloc b 6\nalloc c 21\nend", {1}, {0, 10}, 4), (Pixels{0, 1, 2, 2}));
}

TEST(BandRaster, HidesAnEmphasisedBandOfLessThanHalfAPixel)
{
    EXPECT_EQ(
        paintEmphasised("alloc a 13\nalloc b 4\nalloc c 23\nend", {1}, {0, 10}, 4), (Pixels{0, 2, 2, 2}));
}

TEST(BandRaster, AddsUpEmphasisedBandsThatAreFarFromEachOther)
{
    EXPECT_EQ(paintEmphasised("alloc a 3\nalloc b 27\nalloc c 3\nalloc d 27\nend", {0, 2}, {0, 10}, 6),
        (Pixels{1, 1, 1, 2, 3, 3}));
}

TEST(BandRaster, ShowsInTheTopmostFilledPixelWhatIsEmphasisedAboveIt)
{
    EXPECT_EQ(
        paintEmphasised("alloc a 3\nalloc b 17\nalloc c 4\nend", {0, 2}, {0, 10}, 3), (Pixels{1, 2, kEmpty}));
}

TEST(BandRaster, ThatEmphasisesAllOrNothingIsTheOneWithoutEmphasis)
{
    constexpr std::string_view text = "alloc a 3\nalloc b 7\nalloc c 10\nend";
    EXPECT_EQ(paintEmphasised(text, {}, {0, 10}, 3), paint(text, {0, 10}, 3));
    EXPECT_EQ(paintEmphasised(text, {0, 1, 2}, {0, 10}, 3), paint(text, {0, 10}, 3));
}

TEST(BandRaster, WithEmphasisIsExactlyWhatThePixelsOfASlowPainterAre)
{
    forRandomColumns([](const EmphasisedColumn& column) {
        EXPECT_EQ(column.pixels, slowEmphasis(column.bands, column.emphasis, column.full, column.scale));
    });
}

TEST(BandRaster, FillsTheSamePixelsWhateverIsEmphasised)
{
    forRandomColumns([](const EmphasisedColumn& column) {
        for (std::size_t row = 0; row < column.full.size(); ++row)
            EXPECT_EQ(column.pixels[row] == kEmpty, column.full[row] == kEmpty) << "row " << row;
    });
}

TEST(BandRaster, ShowsAsManyEmphasisedPixelsAsTheirBytesFill)
{
    int telling = 0;
    forRandomColumns([&](const EmphasisedColumn& column) {
        EXPECT_NEAR(column.shown, column.emphasisedPixels, 1.0);
        if (column.emphasisedPixels > 0.5) {
            EXPECT_GE(column.shown, 1);
            ++telling;
        }
    });
    EXPECT_GT(telling, 200);
}

TEST(BandRaster, OfFarMoreBandsThanPixelsIsExact)
{
    for (std::uint32_t seed = 0; seed < 3; ++seed)
        for (const std::optional<BandMode> mode : kCrowdModes) {
            const Crowd crowd(seed, mode);
            const BandRaster raster = crowd.paint();
            EXPECT_LT(raster.pieces, crowd.bandCount / 2); // thin bands were painted together
            for (std::size_t x = 0; x < crowd.columns.size(); ++x)
                ASSERT_EQ(Crowd::column(raster, x),
                    slowColumn(
                        crowd.stack, crowd.columns[x].event, crowd.scale, Crowd::kHeight, crowd.order()))
                    << "seed " << seed << " column " << x;
        }
}

TEST(BandRaster, OfFarMoreBandsThanPixelsIsExactWhereSomeBeginToBeHeldInView)
{
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
        const Crowd crowd(seed, std::nullopt);
        const BandGroups groups = keptInThirds(crowd.stack);
        const BandRaster raster
            = rasterizeBands(crowd.stack.index, crowd.columns, crowd.scale, Crowd::kHeight, &groups);
        for (std::size_t x = 0; x < crowd.columns.size(); ++x)
            ASSERT_EQ(Crowd::column(raster, x),
                slowColumn(crowd.stack, crowd.columns[x].event, crowd.scale, Crowd::kHeight, &groups))
                << "seed " << seed << " column " << x;
    }
}

TEST(BandRaster, OfFarMoreBandsThanPixelsIsExactWithEmphasis)
{
    for (std::uint32_t seed = 0; seed < 5; ++seed)
        for (const std::optional<BandMode> mode : kCrowdModes) {
            const Crowd crowd(seed, mode);
            const BandRaster full = crowd.paint();
            const BandRaster raster = crowd.paint(&crowd.emphasis);
            for (std::size_t x = 0; x < crowd.columns.size(); x += 3)
                ASSERT_EQ(Crowd::column(raster, x),
                    slowEmphasis(test::bandsAt(crowd.stack.index, crowd.columns[x].event, crowd.order()),
                        crowd.emphasis, Crowd::column(full, x), crowd.scale))
                    << "seed " << seed << " column " << x;
        }
}

TEST(BandRaster, IsTheSameInAnyOrderOfColumnsAndWithRepeatedOnes)
{
    Crowd crowd(4, std::nullopt);
    const BandRaster inOrder = crowd.paint();
    const std::vector<PixelColumn> columns = crowd.columns;
    crowd.columns.clear();
    for (std::size_t x = columns.size(); x-- > 0;)
        crowd.columns.insert(crowd.columns.end(), {columns[x], {kNoState, 0}, columns[x]});
    const BandRaster reversed = crowd.paint();
    for (std::size_t x = 0; x < columns.size(); ++x) {
        const std::size_t at = 3 * (columns.size() - 1 - x);
        ASSERT_EQ(Crowd::column(reversed, at), Crowd::column(inOrder, x));
        ASSERT_EQ(Crowd::column(reversed, at + 1), Pixels(Crowd::kHeight, kEmpty));
        ASSERT_EQ(Crowd::column(reversed, at + 2), Crowd::column(inOrder, x));
    }
}

TEST(BandRaster, WithOneThatShowsPartOfItIsTheSame)
{
    for (const std::optional<BandMode> mode : kCrowdModes) {
        const Crowd crowd(6, mode);
        const std::size_t all = crowd.columns.size();
        for (const std::vector<bool>* emphasised :
            {static_cast<const std::vector<bool>*>(nullptr), &crowd.emphasis}) {
            const BandRaster wanted = crowd.paintPart(all / 4, all * 3 / 4, emphasised);
            for (const auto& [first, last] : {std::pair{std::size_t{0}, all / 2}, {all / 2, all},
                     {std::size_t{0}, all}, {all / 3, all / 2}, {std::size_t{0}, all / 8}}) {
                const BandRaster known = crowd.paintPart(first, last, emphasised);
                EXPECT_EQ(crowd.paintPart(all / 4, all * 3 / 4, emphasised, &known).pixels, wanted.pixels);
            }
        }
    }
}

TEST(BandRaster, WithOneThatShowsAllOfItPaintsNothing)
{
    const Crowd crowd(7, BandMode::Site);
    const BandRaster known = crowd.paint();
    EXPECT_GT(known.pieces, 0u);
    EXPECT_EQ(crowd.paintPart(20, 200, nullptr, &known).pieces, 0u);
}

/// The cost depends on the pixels, not on the number of live allocations.
TEST(BandRaster, LaysDownAFewPiecesAPixelHoweverMuchIsLive)
{
    const Stack stack(test::crowdedTrace(9, 100'000));
    const EventScale axis(*stack.trace, 0, AxisKind::Event);
    const int width = 200;
    const int height = 50;
    const BandRaster raster = rasterizeBands(stack.index,
        pixelColumns(stack.curve, axis, -1, static_cast<double>(stack.curve.eventCount()), width),
        {0, static_cast<double>(stack.curve.peak().bytes) / height}, height);
    EXPECT_LT(raster.pieces, std::size_t{width} * height * 64); // band by band it would be over ten million
}

TEST(BandsAt, LieOnEachOtherWithoutGaps)
{
    const Stack stack(test::randomTrace(52));
    for (std::int64_t event = -1; event < 300; event += 13) {
        Bytes offset = 0;
        for (const Band& band : test::bandsAt(stack.index, event)) {
            ASSERT_EQ(band.offset, offset);
            ASSERT_EQ(band.bytes, stack.allocations.bytes(band.allocation));
            offset += band.bytes;
        }
        ASSERT_EQ(offset, stack.curve.at(event));
    }
}

} // namespace highwater
