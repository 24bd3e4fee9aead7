#include "core/figure/histogram_figure.h"

#include <gtest/gtest.h>

#include "core/figure/drawing/svg_writer.h"

namespace highwater {

namespace {

/// Returns 3 allocations in [1, 2) KiB, none up to 8 KiB, one in [8, 16) KiB.
Histogram sizes()
{
    const auto bin = [](std::int64_t low, CountedBytes total) {
        return HistogramBin{BinKind::Range, low * kKiB, 2 * low * kKiB, total};
    };
    Histogram histogram;
    histogram.bins = {bin(1, {3, 3 * kKiB}), bin(2, {0, 0}), bin(4, {0, 0}), bin(8, {1, 9 * kKiB})};
    histogram.total = {4, 12 * kKiB};
    return histogram;
}

std::vector<FigureRect> barsOrTargets(const Figure& figure, bool targets)
{
    std::vector<FigureRect> rects;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape); rect && (rect->opacity == 0) == targets)
            rects.push_back(*rect);
    return rects;
}

} // namespace

TEST(HistogramFigure, HasABarOfBytesAndOneOfAllocationsForEachBin)
{
    const Figure figure = histogramFigure(sizes(), HistogramKind::Size, {.titled = false});
    const std::vector<FigureRect> bars = barsOrTargets(figure, false);
    ASSERT_EQ(bars.size(), 4);
    EXPECT_NEAR(bars[0].width / bars[2].width, 3.0 / 9, 1e-9); // bytes
    EXPECT_NEAR(bars[3].width / bars[1].width, 1.0 / 3, 1e-9); // allocations
}

TEST(HistogramFigure, HasBarsInANeutralColour)
{
    const Figure figure = histogramFigure(sizes(), HistogramKind::Lifetime, {.titled = false});
    for (const FigureRect& bar : barsOrTargets(figure, false))
        EXPECT_EQ(bar.fill, FigurePalette::light().quietText);
}

TEST(HistogramFigure, EmptyBinsShareARowThatCannotBeChosen)
{
    const Histogram histogram = sizes();
    const Figure figure = histogramFigure(histogram, HistogramKind::Size, {.titled = false});
    const std::vector<FigureRect> rows = barsOrTargets(figure, true);
    ASSERT_EQ(rows.size(), 2);
    EXPECT_EQ(rows[0].id, 0);
    EXPECT_EQ(rows[1].id, 3);
    EXPECT_EQ(rows[1].title, "8 KiB to 16 KiB: 9,216 B in 1 allocation");
    EXPECT_NE(toSvg(figure).find("2 KiB to 8 KiB: none"), std::string::npos);
    EXPECT_LE(rows[1].y + rows[1].height, histogramHeight(histogram));
}

TEST(BinTitle, NamesRangesAndWhatIsNotKnown)
{
    EXPECT_EQ(binTitle({BinKind::Range, 0, 1, {}}, HistogramKind::Size), "0 B");
    EXPECT_EQ(binTitle({BinKind::Range, 0, 1, {}}, HistogramKind::Lifetime), "0 events");
    EXPECT_EQ(binTitle({BinKind::Range, 10, 100, {}}, HistogramKind::Lifetime), "10 to 99 events");
    EXPECT_EQ(binTitle({BinKind::NotFreed, 0, 1, {}}, HistogramKind::Lifetime), "not freed in the trace");
    EXPECT_EQ(binTitle({BinKind::NotFreed, 10, 100, {}}, HistogramKind::Lifetime),
        "not freed, 10 to 99 events old");
}

} // namespace highwater
