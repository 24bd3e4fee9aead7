#include "core/analysis/usage/pixel_columns.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

struct Picture
{
    explicit Picture(std::shared_ptr<const Trace> of, AxisKind axis)
        : trace(std::move(of))
        , allocations(*trace, 0)
        , curve(*trace, allocations)
        , scale(*trace, 0, axis)
    {
    }

    /// Finds the column by trying every event, following the header's definition.
    PixelColumn slowColumn(double from, double to) const
    {
        PixelColumn best{kNoState, 0};
        for (std::int64_t event = from <= scale.begin() ? -1 : 0; event < curve.eventCount(); ++event) {
            const double at = scale.positionOf(event);
            const bool inside = (at >= from || event == -1) && at < to;
            if (inside && (best.event == kNoState || curve.at(event) > best.bytes))
                best = {event, curve.at(event)};
        }
        if (best.event != kNoState)
            return best;
        if (from < scale.begin() || from >= scale.end())
            return {kNoState, 0};
        std::int64_t held = -1;
        for (std::int64_t event = 0; event < curve.eventCount() && scale.positionOf(event) <= from; ++event)
            held = event;
        return {held, curve.at(held)};
    }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    UsageCurve curve;
    EventScale scale;
};

void expectExactColumns(const Picture& picture, double begin, double end, int width)
{
    const std::vector<PixelColumn> columns = pixelColumns(picture.curve, picture.scale, begin, end, width);
    ASSERT_EQ(columns.size(), static_cast<std::size_t>(width));
    for (int x = 0; x < width; ++x) {
        const PixelColumn wanted
            = picture.slowColumn(begin + (end - begin) * x / width, begin + (end - begin) * (x + 1) / width);
        ASSERT_EQ(columns[static_cast<std::size_t>(x)].event, wanted.event)
            << "column " << x << " of [" << begin << ", " << end << ')';
        ASSERT_EQ(columns[static_cast<std::size_t>(x)].bytes, wanted.bytes);
    }
}

Bytes largest(const std::vector<PixelColumn>& columns)
{
    Bytes bytes = 0;
    for (const PixelColumn& column : columns)
        bytes = std::max(bytes, column.bytes);
    return bytes;
}

} // namespace

class PixelColumnsOn : public testing::TestWithParam<AxisKind>
{
};

TEST_P(PixelColumnsOn, AreExactOverTheWholeTrace)
{
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const Picture picture(test::randomTrace(seed), GetParam());
        for (const int width : {1, 7, 100, 640})
            expectExactColumns(picture, picture.scale.begin(), picture.scale.end(), width);
    }
}

TEST_P(PixelColumnsOn, AreExactInAnyRange)
{
    const Picture picture(test::randomTrace(42), GetParam());
    test::Random random(8);
    const double whole = picture.scale.end() - picture.scale.begin();
    for (int i = 0; i < 100; ++i) {
        const double begin = picture.scale.begin() + whole * static_cast<double>(random.below(1000)) / 1000;
        expectExactColumns(picture, begin, begin + whole * static_cast<double>(1 + random.below(500)) / 1000,
            1 + static_cast<int>(random.below(60)));
    }
}

TEST_P(PixelColumnsOn, NeverLoseThePeakByZoomingOut)
{
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Picture picture(test::randomTrace(seed), GetParam());
        for (const int width : {1, 2, 3, 50})
            EXPECT_EQ(largest(pixelColumns(
                          picture.curve, picture.scale, picture.scale.begin(), picture.scale.end(), width)),
                picture.curve.peak().bytes);
    }
}

TEST_P(PixelColumnsOn, ComeInOrderOfEvents)
{
    const Picture picture(test::randomTrace(9), GetParam());
    const std::vector<PixelColumn> columns
        = pixelColumns(picture.curve, picture.scale, picture.scale.begin(), picture.scale.end(), 333);
    EXPECT_TRUE(std::is_sorted(columns.begin(), columns.end(),
        [](const PixelColumn& a, const PixelColumn& b) { return a.event < b.event; }));
}

INSTANTIATE_TEST_SUITE_P(Axes, PixelColumnsOn, testing::Values(AxisKind::Event, AxisKind::Time));

class PixelColumnsOfOddTimes : public testing::TestWithParam<const char*>
{
};

TEST_P(PixelColumnsOfOddTimes, NeverLoseThePeak)
{
    const Picture picture(test::traceFromText(GetParam()), AxisKind::Time);
    const std::vector<PixelColumn> columns
        = pixelColumns(picture.curve, picture.scale, picture.scale.begin(), picture.scale.end(), 10);
    EXPECT_EQ(largest(columns), picture.curve.peak().bytes);
}

INSTANTIATE_TEST_SUITE_P(Traces, PixelColumnsOfOddTimes,
    testing::Values(
        "alloc a 1 t=50\nalloc b 1 t=60\nalloc spike 1000 t=10\nfree_once spike t=70\nalloc c 1 t=80\nend",
        "alloc a 1 t=50\nalloc b 1 t=60\nalloc spike 1000 t=90\nfree_once spike t=70\nalloc c 1 t=55\nend",
        "alloc a 1\nalloc b 1 t=60\nalloc spike 1000 t=70\nfree_once spike t=75\nalloc c 1 t=80\nend",
        "alloc a 1 t=50\nalloc spike 1000 t=70\nfree_once spike t=75\nalloc c 1\nend",
        "alloc a 1 t=50\nalloc b 1 t=60\nalloc spike 1000\nfree_once spike\nalloc c 1 t=80\nend"));

TEST(PixelColumns, OfNoWidthAreNone)
{
    const Picture picture(test::randomTrace(9), AxisKind::Event);
    EXPECT_TRUE(pixelColumns(picture.curve, picture.scale, 0, 10, 0).empty());
}

TEST(PixelColumns, OfATraceWithoutEventsShowTheOneMoment)
{
    const Picture picture(test::traceFromText("final a 5"), AxisKind::Event);
    const std::vector<PixelColumn> columns = pixelColumns(picture.curve, picture.scale, -1, 0, 3);
    ASSERT_EQ(columns.size(), 3u);
    for (const PixelColumn& column : columns)
        EXPECT_EQ(column.bytes, 5);
}

TEST(PixelColumns, HoldNothingWhereTheRunIsNotOn)
{
    const auto trace = test::traceFromText("alloc a 10\nalloc b 5\nend");
    const AllocationTable allocations(*trace, 0);
    const UsageCurve curve(*trace, allocations);
    const EventScale scale({{0, 1, 0, 1}, {1, 2, 2, 3}});
    EXPECT_EQ(pixelColumns(curve, scale, -1, 4, 5),
        (std::vector<PixelColumn>{{-1, 0}, {0, 10}, {kNoState, 0}, {1, 15}, {kNoState, 0}}));
}

} // namespace highwater
