#include "core/figure/folded_steps_figure.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/figure/drawing/svg_writer.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Ten steps, of which the fourth has twice the peak.
std::string foldedText()
{
    std::string text;
    for (int i = 0; i < 10; ++i) {
        const std::string begin = std::to_string(10 * i + 1);
        text += "annotation ProfilerStep#" + std::to_string(i) + " " + begin + " "
            + std::to_string(10 * i + 10) + "\n";
    }
    for (int i = 0; i < 10; ++i)
        text += "alloc a " + std::string(i == 3 ? "8" : "4") + " MiB t=" + std::to_string(10 * i + 3)
            + "\nfree_once a t=" + std::to_string(10 * i + 8) + "\n";
    return text;
}

} // namespace

TEST(FoldedStepsFigure, NamesOutliersWhichCanBeChosen)
{
    const auto trace = test::traceFromText(foldedText());
    const DeviceStudy study(*trace, 0);
    const std::optional<FoldedSteps> folded = foldedSteps(study.curve, study.steps);
    ASSERT_TRUE(folded);
    ASSERT_EQ(folded->outliers.size(), 1u);
    const Figure figure = foldedStepsFigure(*folded, study, {.width = 500, .height = 200, .titled = false});
    const std::string name = study.steps.steps[folded->outliers[0].step].name;
    EXPECT_NE(toSvg(figure).find(name), std::string::npos);
    const auto isTarget = [&](const FigureShape& shape) {
        const auto* rect = std::get_if<FigureRect>(&shape);
        return rect && rect->id == static_cast<int>(folded->outliers[0].step);
    };
    EXPECT_GE(std::ranges::count_if(figure.shapes, isTarget), 100);
}

TEST(FoldedStepsFigure, HasAKeyOfItsLineAndItsArea)
{
    const auto trace = test::traceFromText(foldedText());
    const DeviceStudy study(*trace, 0);
    const std::optional<FoldedSteps> folded = foldedSteps(study.curve, study.steps);
    ASSERT_TRUE(folded);
    const std::string svg
        = toSvg(foldedStepsFigure(*folded, study, {.width = 240, .height = 180, .titled = false}));
    EXPECT_NE(
        svg.find(">median of " + std::to_string(folded->steps) + " complete steps<"), std::string::npos);
    EXPECT_NE(svg.find(">middle 80% of the steps<"), std::string::npos);
}

TEST(FoldedStepsFigure, DrawsTheAreaInAnotherColorThanTheMedianInEveryTheme)
{
    const auto trace = test::traceFromText(foldedText());
    const DeviceStudy study(*trace, 0);
    const std::optional<FoldedSteps> folded = foldedSteps(study.curve, study.steps);
    ASSERT_TRUE(folded);
    for (const bool isDark : {false, true}) {
        const Figure figure = foldedStepsFigure(
            *folded, study, {.width = 500, .height = 300, .dark = isDark, .contrast = true, .titled = false});
        const FigurePalette palette = FigurePalette::of(Ground{isDark, true});
        const auto isArea = [&](const FigureShape& shape) {
            const auto* area = std::get_if<FigurePolygon>(&shape);
            return area && area->fill == palette.reserved;
        };
        EXPECT_TRUE(std::ranges::any_of(figure.shapes, isArea));
        EXPECT_NE(palette.reserved, palette.text);
    }
}

TEST(FoldedStepsFigure, DrawsWhatIsBelowTheStartWithinThePlot)
{
    const auto trace = test::traceFromText(foldedText());
    const DeviceStudy study(*trace, 0);
    std::optional<FoldedSteps> folded = foldedSteps(study.curve, study.steps);
    ASSERT_TRUE(folded);
    folded->lower[50] = -40 * kMiB;
    const Figure figure = foldedStepsFigure(*folded, study, {.width = 500, .height = 300, .titled = false});
    double bottom = 0;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* spot = std::get_if<FigureRect>(&shape); spot && spot->opacity == 0 && spot->id < 0)
            bottom = std::max(bottom, spot->y + spot->height);
    for (const FigureShape& shape : figure.shapes)
        if (const auto* envelope = std::get_if<FigurePolygon>(&shape)) {
            EXPECT_LE(std::ranges::max(envelope->points, {}, &FigurePoint::y).y, bottom + 0.01);
        }
    EXPECT_NE(toSvg(figure).find(">−"), std::string::npos); // a label of the axis
}

} // namespace highwater
