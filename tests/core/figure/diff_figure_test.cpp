#include "core/figure/diff_figure.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/figure/drawing/svg_writer.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

struct CurveOfRun
{
    explicit CurveOfRun(std::string_view text)
        : trace(test::traceFromText(text))
        , allocations(*trace, 0)
        , curve(*trace, allocations)
    {
    }
    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    UsageCurve curve;
};

/// Two runs by event: 10, 30 before; 10, 5, 45 after.
struct TwoRuns
{
    CurveOfRun before{"alloc a 10\nalloc b 20\nend"};
    CurveOfRun after{"alloc a 10\nalloc c 5\nalloc b 30\nend"};
    RunAlignment alignment{RunAxis::Event, EventScale(*before.trace, 0, AxisKind::Event),
        EventScale(*after.trace, 0, AxisKind::Event), {}};
};

} // namespace

TEST(OverlaidCurves, HaveBothTotalsInEveryColumn)
{
    const TwoRuns runs;
    const OverlaidCurves curves
        = overlayCurves(runs.before.curve, runs.after.curve, runs.alignment, -1, 3, 4);
    EXPECT_EQ(curves.columns,
        (std::vector<OverlaidCurves::Column>{
            {0, 0, true, true}, {10, 10, true, true}, {30, 15, true, true}, {0, 45, false, true}}));
    EXPECT_EQ(curves.highest, 45);
}

TEST(DiffFigure, NamesBothPeaksAndTheirDifference)
{
    const TwoRuns runs;
    const std::string svg = toSvg(diffFigure(
        {runs.before.curve, "a"}, {runs.after.curve, "b"}, runs.alignment, Quantity::Requested, -1, 3, {}));
    EXPECT_NE(svg.find("Peak 30 B → 45 B (+15 B, +50%)"), std::string::npos);
}

TEST(DiffFigure, FillsOnlyWhereBothRunsAreOn)
{
    const TwoRuns runs;
    const Figure figure = diffFigure(
        {runs.before.curve, "a"}, {runs.after.curve, "b"}, runs.alignment, Quantity::Requested, -1, 3, {});
    int more = 0;
    int less = 0;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* area = std::get_if<FigurePolygon>(&shape)) {
            more += area->title == "more after";
            less += area->title == "less after";
        }
    EXPECT_EQ(more, 0); // the first run has ended where the second one has 45
    EXPECT_EQ(less, 1);
}

TEST(DiffFigure, GivesTheBytesOfTheComparedMomentsInItsLegend)
{
    const TwoRuns runs;
    const std::string svg = toSvg(diffFigure({runs.before.curve, "a", 0}, {runs.after.curve, "b", 1},
        runs.alignment, Quantity::Requested, -1, 3, {}));
    EXPECT_NE(svg.find("10 B"), std::string::npos);
    EXPECT_NE(svg.find("15 B"), std::string::npos);
}

TEST(DiffFigure, KeepsTheEdgesOfThePlotsAboveIt)
{
    const TwoRuns runs;
    const FigureOptions options{
        .width = 400, .height = 150, .titled = false, .edges = PlotEdges{.left = 61, .right = 377}};
    const Figure figure = diffFigure({runs.before.curve, "a"}, {runs.after.curve, "b"}, runs.alignment,
        Quantity::Requested, -1, 3, options);
    EXPECT_TRUE(std::ranges::any_of(figure.shapes, [](const FigureShape& shape) {
        const auto* line = std::get_if<FigureLine>(&shape);
        return line && line->points.front().x == 61 && line->points.back().x == 377;
    }));
}

TEST(AxisTicks, AreTheNamesOfSteps)
{
    const RunAlignment alignment{RunAxis::Step, EventScale({{0, 4, 0, 4}}), EventScale({{0, 4, 0, 4}}),
        {{0, "step 0", 0}, {1, "step 1", 1}, {2, "step 2", 2}, {3, "step 3", 3}}};
    EXPECT_EQ(
        axisTicks(alignment, 0.5, 4, 10).labels, (std::vector<std::string>{"step 1", "step 2", "step 3"}));
    EXPECT_EQ(axisTicks(alignment, 0, 4, 2).labels, (std::vector<std::string>{"step 0", "step 2"}));
}

} // namespace highwater
