#include "core/figure/series_pair_figure.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "core/figure/drawing/svg_writer.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct LogPair
{
    std::shared_ptr<const Trace> before = openTrace(test::samplePath("logs/r4-verl-before.err"), {})->trace;
    std::shared_ptr<const Trace> after = openTrace(test::samplePath("logs/r4-verl-after.err"), {})->trace;
    LogDiff diff = diffLogs({*before, {}}, {*after, {}});

    Figure figure(FigureOptions options = {.width = 800, .height = 500, .source = "a ↔ b"}) const
    {
        return seriesPairFigure({*before, *after, diff.series[0], "before.err", "after.err"}, options);
    }
};

template <typename Shape>
std::vector<Shape> shapesOf(const Figure& figure)
{
    std::vector<Shape> found;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* one = std::get_if<Shape>(&shape))
            found.push_back(*one);
    return found;
}

bool hasText(const Figure& figure, const std::string& text)
{
    const std::vector<FigureText> texts = shapesOf<FigureText>(figure);
    return std::any_of(texts.begin(), texts.end(), [&](const FigureText& each) { return each.text == text; });
}

CounterSeries counted(std::size_t points)
{
    CounterSeries series;
    series.name = "m";
    series.unit = "bytes";
    series.metric = "allocated";
    for (std::size_t i = 0; i < points; ++i)
        series.value.push_back(static_cast<double>(i % 1000));
    return series;
}

} // namespace

TEST(SeriesPairFigure, MarksWhereMemoryRanOutAndTheCapacity)
{
    const Figure figure = LogPair().figure();
    EXPECT_TRUE(hasText(figure, "out of memory, before"));
    EXPECT_TRUE(hasText(figure, "capacity 79.18 GiB"));
    EXPECT_TRUE(hasText(figure, "step"));
}

TEST(SeriesPairFigure, TellsEveryPointOfShortSeries)
{
    std::vector<std::string> titles;
    for (const FigureRect& rect : shapesOf<FigureRect>(LogPair().figure()))
        if (!rect.title.empty())
            titles.push_back(rect.title);
    EXPECT_EQ(titles.size(), 12u); // four before and eight after
    EXPECT_EQ(titles.front(), "before, step 1: 65.87 GiB");
    EXPECT_EQ(titles.back(), "after, step 8: 44.87 GiB");
}

TEST(SeriesPairFigure, SaysWhichSeriesItIsOf)
{
    const std::string svg = toSvg(LogPair().figure());
    EXPECT_NE(svg.find("allocated peak (perf/max_memory_allocated_gb)"), std::string::npos);
    EXPECT_NE(svg.find("before.err"), std::string::npos);
}

TEST(SeriesPairFigure, StaysInsideItsSheet)
{
    for (const int width : {300, 800, 2000}) {
        const Figure figure = LogPair().figure({.width = width, .height = 300, .titled = false});
        const auto lines = shapesOf<FigureLine>(figure);
        EXPECT_GE(lines.size(), 2u) << "one of each run";
        for (const FigureLine& line : lines)
            for (const FigurePoint& point : line.points) {
                EXPECT_GE(point.x, 0);
                EXPECT_LE(point.x, width);
                EXPECT_GE(point.y, 0);
                EXPECT_LE(point.y, 300);
            }
    }
}

TEST(SeriesPairFigure, DrawsAtMostFourPointsForEachPixel)
{
    Trace long_;
    long_.counters.push_back(counted(100'000));
    const LogDiff diff = diffLogs({long_, {}}, {long_, {}});
    const Figure figure
        = seriesPairFigure({long_, long_, diff.series[0], "a", "b"}, {.width = 500, .height = 300});
    std::size_t most = 0;
    for (const FigureLine& line : shapesOf<FigureLine>(figure))
        most = std::max(most, line.points.size());
    EXPECT_GT(most, 500u);
    EXPECT_LE(most, 2000u);
}

TEST(SeriesPairFigure, DrawsASeriesOfOnePoint)
{
    Trace one;
    one.counters.push_back(counted(1));
    const LogDiff diff = diffLogs({one, {}}, {one, {}});
    const Figure figure
        = seriesPairFigure({one, one, diff.series[0], "a", "b"}, {.width = 500, .height = 300});
    EXPECT_NE(toSvg(figure).find("before, 0 B"), std::string::npos);
}

TEST(SeriesPairFigure, DrawsStepsOfAnySize)
{
    CounterSeries far = counted(2);
    far.step = {0, std::numeric_limits<std::int64_t>::max()};
    Trace trace;
    trace.counters.push_back(far);
    const LogDiff diff = diffLogs({trace, {}}, {trace, {}});
    const Figure figure
        = seriesPairFigure({trace, trace, diff.series[0], "a", "b"}, {.width = 500, .height = 300});
    EXPECT_GT(figure.shapes.size(), 5u);
}

TEST(SeriesAxis, IsTheBestThatBothHave)
{
    CounterSeries bare = counted(4);
    CounterSeries timed = bare;
    timed.time = {1, 2, 3, 4};
    CounterSeries stepped = timed;
    stepped.step = {1, 2, 3, 4};
    EXPECT_EQ(seriesAxis(stepped, stepped), SeriesAxis::Step);
    EXPECT_EQ(seriesAxis(stepped, timed), SeriesAxis::Time);
    EXPECT_EQ(seriesAxis(stepped, bare), SeriesAxis::Point);
}

} // namespace highwater
