#include "core/figure/steps_figure.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/figure/drawing/svg_writer.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

std::vector<Step> stepsThatReach(const std::vector<Bytes>& peaks)
{
    std::vector<Step> steps;
    for (const Bytes peak : peaks) {
        steps.emplace_back();
        steps.back().name = "step";
        steps.back().peakBytes = peak;
    }
    return steps;
}

/// A run of many steps, of which every second has twice the peak.
std::string manyStepsText(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "annotation ProfilerStep#" + std::to_string(i) + " " + std::to_string(10 * i + 1) + " "
            + std::to_string(10 * i + 10) + "\n";
    for (int i = 0; i < count; ++i)
        text += std::string("alloc a ") + (i % 2 == 0 ? "4" : "8") + " MiB t=" + std::to_string(10 * i + 3)
            + "\nfree_once a t=" + std::to_string(10 * i + 8) + "\n";
    return text;
}

/// Returns the number of areas that pale a part of a bar.
std::ptrdiff_t paleAreas(const Figure& figure)
{
    return std::ranges::count_if(figure.shapes, [](const FigureShape& shape) {
        const auto* rect = std::get_if<FigureRect>(&shape);
        return rect && rect->opacity == 0.5;
    });
}

} // namespace

TEST(StepsFigure, PalesBarsOfSeveralStepsAboveTheLowest)
{
    const auto trace = test::traceFromText(manyStepsText(100));
    const Figure figure = stepsFigure(DeviceStudy(*trace, 0), {.width = 240, .height = 240, .titled = false});
    EXPECT_EQ(paleAreas(figure), 20);
}

TEST(StepsFigure, PalesNoBarOfOneStep)
{
    const auto trace = test::traceFromText(manyStepsText(10));
    const Figure figure = stepsFigure(DeviceStudy(*trace, 0), {.width = 240, .height = 240, .titled = false});
    EXPECT_EQ(paleAreas(figure), 0);
}

TEST(StepsFigure, HasAKeyOfItsLinesIfItHasATitle)
{
    const auto trace = test::traceFromText(manyStepsText(10));
    const DeviceStudy study(*trace, 0);
    const auto hasKey = [&](const FigureOptions& options) {
        return toSvg(stepsFigure(study, options)).find(">at its end<") != std::string::npos;
    };
    EXPECT_TRUE(hasKey({.width = 600, .height = 300}));
    EXPECT_FALSE(hasKey({.width = 600, .height = 300, .titled = false}));
    EXPECT_FALSE(hasKey({.width = 600, .height = 400, .titled = false}));
}

TEST(StepsFigure, BeginsTheAxisOfDifferencesBelowTheLowestPeak)
{
    EXPECT_EQ(beginOfDifferences(stepsThatReach({96, 90, 99})), 87);
}

TEST(StepsFigure, BeginsTheAxisAtZeroWhereThatShowsTheDifferences)
{
    EXPECT_EQ(beginOfDifferences(stepsThatReach({30, 90, 99})), 0);
    EXPECT_EQ(beginOfDifferences(stepsThatReach({90, 90})), 0);
}

TEST(StepsFigure, IgnoresTheRemainderForTheAxis)
{
    std::vector<Step> steps = stepsThatReach({96, 90, 99, 10});
    steps.back().name = Step::kRemainder;
    EXPECT_EQ(beginOfDifferences(steps), 87);
}

} // namespace highwater
