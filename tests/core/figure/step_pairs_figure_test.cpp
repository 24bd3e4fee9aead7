#include "core/figure/step_pairs_figure.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/svg_writer.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

StepTable table(const std::vector<std::pair<std::string, Bytes>>& steps)
{
    StepTable table;
    for (const auto& [name, peak] : steps) {
        table.steps.emplace_back();
        table.steps.back().name = name;
        table.steps.back().peakBytes = peak;
    }
    return table;
}

StepTable numbered(std::size_t count, Bytes peak)
{
    std::vector<std::pair<std::string, Bytes>> steps;
    for (std::size_t i = 0; i < count; ++i)
        steps.emplace_back("step " + std::to_string(i), peak);
    return table(steps);
}

/// Three steps in each run, of which two are paired: 1 and 4 GiB before, 2 and 3 GiB after.
struct PairedSteps
{
    StepTable before = table({{"step 1", kGiB}, {"step 2", 4 * kGiB}, {"warm-up", 512}});
    StepTable after = table({{"step 1", 2 * kGiB}, {"step 5", 3 * kGiB}, {"step 6", 6 * kGiB}});
    AlignedSteps aligned{StepAlignment::Index, {{0, 0}, {1, 1}, {2, std::nullopt}, {std::nullopt, 2}}};

    StepPairs pairs() const { return {before, after, aligned, Quantity::Allocated}; }
    Figure figure(bool dark = false) const
    {
        return stepPairsFigure(pairs(), {.width = 640, .height = 400, .dark = dark, .source = "a ↔ b"});
    }
};

std::vector<FigureRect> rects(const Figure& figure, bool drawn)
{
    std::vector<FigureRect> found;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape); rect && rect->id >= 0)
            if ((rect->opacity > 0) == drawn)
                found.push_back(*rect);
    return found;
}

} // namespace

TEST(StepPairsFigure, DrawsHeightsInProportionToThePeaks)
{
    const std::vector<FigureRect> bars = rects(PairedSteps().figure(), true);
    ASSERT_EQ(bars.size(), 6u);
    const double gib = bars[0].height;
    EXPECT_GT(gib, 30);
    EXPECT_NEAR(bars[1].height, 2 * gib, 1e-9);
    EXPECT_NEAR(bars[2].height, 4 * gib, 1e-9);
    EXPECT_NEAR(bars[3].height, 3 * gib, 1e-9);
    EXPECT_NEAR(bars[4].height, gib * 512 / static_cast<double>(kGiB), 1e-9);
    EXPECT_NEAR(bars[5].height, 6 * gib, 1e-9);
}

TEST(StepPairsFigure, LeavesARowForTheLabelAboveTheHighestBar)
{
    const Figure figure = PairedSteps().figure();
    EXPECT_NEAR(rects(figure, true)[5].y - rects(figure, false)[0].y, FigureSheet::kLabelRow, 1e-9);
}

TEST(StepPairsFigure, StandsAllBarsOnOneLineWithTheRunBeforeAtTheLeft)
{
    const std::vector<FigureRect> bars = rects(PairedSteps().figure(), true);
    for (const FigureRect& bar : bars)
        EXPECT_NEAR(bar.y + bar.height, bars[0].y + bars[0].height, 1e-9);
    EXPECT_NEAR(bars[1].x, bars[0].x + bars[0].width + 1, 1e-9);
    EXPECT_EQ(bars[0].fill, bars[2].fill);
    EXPECT_EQ(bars[1].fill, bars[3].fill);
    EXPECT_NE(bars[0].fill, bars[1].fill);
}

TEST(StepPairsFigure, NamesThePairsThatItsShapesStandFor)
{
    std::vector<int> ids;
    for (const FigureRect& bar : rects(PairedSteps().figure(), true))
        ids.push_back(bar.id);
    EXPECT_EQ(ids, (std::vector<int>{0, 0, 1, 1, 2, 3}));
}

TEST(StepPairsFigure, LetsTheWholeColumnOfAPairAnswerThePointer)
{
    const std::vector<FigureRect> columns = rects(PairedSteps().figure(), false);
    ASSERT_EQ(columns.size(), 4u);
    for (std::size_t i = 1; i < columns.size(); ++i)
        EXPECT_NEAR(columns[i].x, columns[i - 1].x + columns[i - 1].width, 1e-9);
}

TEST(StepPairsFigure, TellsExactBytesAndTheDifferenceUnderThePointer)
{
    const std::vector<FigureRect> columns = rects(PairedSteps().figure(), false);
    EXPECT_TRUE(test::hasParts(columns[0].title,
        {"step 1\nbefore: 1 GiB (1,073,741,824 B)", "after: 2 GiB (2,147,483,648 B)", "+1 GiB (+100%)"}));
    EXPECT_TRUE(test::hasParts(columns[1].title,
        {"step 2: 4 GiB (4,294,967,296 B)", "step 5: 3 GiB (3,221,225,472 B)", "−1 GiB (−25%)"}));
    EXPECT_TRUE(test::hasParts(columns[2].title, {"warm-up\nbefore: 512 B\nafter: no such step"}));
}

TEST(StepPairsFigure, SaysWhatItIsOfAndInWhichBytes)
{
    const std::string svg = toSvg(PairedSteps().figure());
    EXPECT_NE(svg.find(">a ↔ b · peak of each step</text>"), std::string::npos);
    EXPECT_TRUE(test::hasParts(
        svg, {"2 steps before, 3 after", "aired in order", "1 without a partner", ">allocated bytes at "}));
    EXPECT_NE(svg.find(">6 GiB</text>"), std::string::npos);
}

TEST(StepPairsFigure, LabelsBothBarsOfEveryPairThatHasTheRoom)
{
    const PairedSteps example;
    const std::string wide = toSvg(stepPairsFigure(example.pairs(), {.width = 900, .height = 400}));
    for (const char* peak : {">1 GiB<", ">2 GiB<", ">4 GiB<", ">3 GiB<", ">512 B<", ">6 GiB<"})
        EXPECT_NE(wide.find(peak), std::string::npos) << peak;
    const std::string narrow = toSvg(stepPairsFigure(example.pairs(), {.width = 400, .height = 400}));
    EXPECT_EQ(narrow.find(">3 GiB<"), std::string::npos);
    EXPECT_NE(narrow.find(">6 GiB<"), std::string::npos);
}

TEST(StepPairsFigure, HasPaleBarsBeforeAndFullOnesAfterInBothThemes)
{
    EXPECT_EQ(rects(PairedSteps().figure(false), true)[0].fill, FigurePalette::light().reservedEdge);
    EXPECT_EQ(rects(PairedSteps().figure(true), true)[0].fill, FigurePalette::darkColors().reservedEdge);
    EXPECT_EQ(rects(PairedSteps().figure(false), true)[1].fill, FigurePalette::light().quietText);
    EXPECT_EQ(rects(PairedSteps().figure(true), true)[1].fill, FigurePalette::darkColors().quietText);
}

TEST(StepPairsFigure, NeverLosesTheHighestStepAmongMany)
{
    StepTable before = numbered(3000, kGiB);
    const StepTable after = numbered(3000, kGiB);
    before.steps[1234].peakBytes = 9 * kGiB;
    const AlignedSteps aligned = alignSteps(before, after);
    const StepPairs pairs{before, after, aligned};
    const Figure figure = stepPairsFigure(pairs, {.width = 640, .height = 400});
    const std::vector<FigureRect> columns = rects(figure, false);
    EXPECT_LE(columns.size(), 70u);
    EXPECT_TRUE(std::any_of(
        columns.begin(), columns.end(), [](const FigureRect& column) { return column.id == 1234; }));
    EXPECT_NE(toSvg(figure).find("highest of 50 pairs"), std::string::npos);
}

TEST(StepPairBars, ShowThePairThatTheLargestPeakOfEitherRunIsIn)
{
    const StepTable before = table({{"0", 5}, {"1", 1}, {"2", 3}, {"3", 1}});
    const StepTable after = table({{"0", 1}, {"1", 6}, {"2", 1}, {"3", 2}});
    const AlignedSteps aligned{StepAlignment::Index, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}};
    EXPECT_EQ(stepPairBars({before, after, aligned}, 2), (std::vector<StepBar>{{0, 2, 1}, {2, 4, 2}}));
}

TEST(StepPairBars, LeaveOutWhatFollowsTheLastStep)
{
    const StepTable steps = table({{"step 0", 5}, {"step 1", 6}, {"remainder", 1}});
    const AlignedSteps aligned{StepAlignment::Index, {{0, 0}, {1, 1}, {2, 2}}};
    EXPECT_EQ(stepPairBars({steps, steps, aligned}, 9), (std::vector<StepBar>{{0, 1, 0}, {1, 2, 1}}));
}

TEST(StepPairLabel, IsTheNameOrBothNumbersWhereTheyDiffer)
{
    const PairedSteps example;
    const StepPairs pairs = example.pairs();
    std::vector<std::string> labels;
    std::vector<std::string> shortLabels;
    for (const StepPair& pair : example.aligned.pairs) {
        labels.push_back(stepPairLabel(pairs, pair));
        shortLabels.push_back(shortStepPairLabel(pairs, pair));
    }
    EXPECT_EQ(labels, (std::vector<std::string>{"step 1", "2 ↔ 5", "warm-up", "step 6"}));
    EXPECT_EQ(shortLabels, (std::vector<std::string>{"1", "2 ↔ 5", "warm-up", "6"}));
}

TEST(StepPairLabel, IsBothNamesWhereTheyDifferInMoreThanTheNumber)
{
    const StepTable before = table({{"warm-up", 1}, {"7", 1}});
    const StepTable after = table({{"ProfilerStep#3", 1}, {"8", 1}});
    const AlignedSteps aligned{StepAlignment::Index, {{0, 0}, {1, 1}}};
    const StepPairs pairs{before, after, aligned};
    EXPECT_EQ(stepPairLabel(pairs, {0, 0}), "warm-up ↔ ProfilerStep#3");
    EXPECT_EQ(shortStepPairLabel(pairs, {0, 0}), "warm-up ↔ 3");
    EXPECT_EQ(stepPairLabel(pairs, {1, 1}), "7 ↔ 8");
}

TEST(StepPairsFigure, SaysWhichBarsAreBeforeAndAfterInALowPane)
{
    const std::string svg = toSvg(stepPairsFigure(
        PairedSteps().pairs(), {.width = 700, .height = 120, .source = "a", .titled = false}));
    EXPECT_NE(svg.find(">before<"), std::string::npos);
    EXPECT_NE(svg.find(">after<"), std::string::npos);
}

TEST(StepPairsFigure, SaysThatThereAreNoSteps)
{
    const StepTable none;
    const AlignedSteps aligned;
    EXPECT_NE(
        toSvg(stepPairsFigure({none, none, aligned}, {})).find("No steps were detected."), std::string::npos);
}

TEST(StepPairsFigure, IsFiniteInTheSmallestRoom)
{
    const PairedSteps example;
    for (const int size : {1, 40, 120, 300}) {
        const FigureOptions options{.width = size, .height = size, .titled = false};
        const std::string svg = toSvg(stepPairsFigure(example.pairs(), options));
        EXPECT_NE(svg.find("</svg>"), std::string::npos) << size;
        for (const char* wrong : {"nan", "inf\"", "height=\"-", "width=\"-"})
            EXPECT_EQ(svg.find(wrong), std::string::npos) << size << ' ' << wrong;
    }
}

} // namespace highwater
