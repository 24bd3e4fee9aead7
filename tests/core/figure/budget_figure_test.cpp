#include "core/figure/budget_figure.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "app/loading/run_shape_file.h"
#include "core/analysis/budget/budget_headline.h"
#include "core/analysis/budget/gpu_need.h"
#include "core/analysis/budget/timeline_parts.h"
#include "core/analysis/device/device_study.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

BudgetStudy expectedAlone()
{
    const auto run = loadRunShape(test::samplePath("budget/r1-grpo.yaml"));
    return studyBudget({*run, {}, {}}, nullptr).value();
}

/// Returns R1 with its configuration.
BudgetStudy observed()
{
    const auto imported = loadFile(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {});
    const DeviceStudy device(*imported->trace, 0);
    const auto run = loadRunShape(test::samplePath("budget/r1-grpo.yaml"));
    return studyBudget({*run, {}, {}}, &device).value();
}

/// Returns a run without a configuration that needs little of any GPU.
BudgetStudy smallRun()
{
    const auto imported = loadFile(test::snapshotPath("tiny-hand-checked"), {});
    const DeviceStudy device(*imported->trace, 0);
    return judgeGpus({}, device, {}).value();
}

Figure drawnBudget(const BudgetStudy& study, int width)
{
    FigureOptions options{.width = width, .titled = false};
    options.height = budgetFigureHeight(study, options);
    return budgetFigure(study, options);
}

std::vector<FigureText> textsOf(const Figure& figure)
{
    std::vector<FigureText> texts;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* text = std::get_if<FigureText>(&shape))
            texts.push_back(*text);
    return texts;
}

bool says(const Figure& figure, const std::string& text)
{
    return std::ranges::any_of(textsOf(figure), [&](const FigureText& each) { return each.text == text; });
}

/// Returns the widths of bars in category colours, which are those of observed memory.
std::vector<double> filledWidths(const Figure& figure, const FigurePalette& colors)
{
    std::vector<double> widths;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape); rect && rect->opacity > 0 && rect->x > 100
            && rect->height == 10 && rect->fill != colors.background && rect->fill != colors.hover
            && rect->fill != colors.quietText && rect->fill != colors.reservedEdge
            && rect->fill != colors.danger)
            widths.push_back(rect->width);
    return widths;
}

/// Returns the widths of the bars of the GPUs, from the smallest on.
std::vector<double> gpuBars(const BudgetStudy& study)
{
    const FigurePalette colors = FigurePalette::light();
    std::vector<double> widths;
    for (const FigureShape& shape : drawnBudget(study, 1400).shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape);
            rect && rect->fill == colors.hover && rect->height == 10)
            widths.push_back(rect->width);
    return widths;
}

/// Counts the bars of GPUs with a break.
std::size_t breakMarks(const BudgetStudy& study)
{
    const Figure figure = drawnBudget(study, 1400);
    return static_cast<std::size_t>(std::ranges::count_if(figure.shapes,
        [](const FigureShape& shape) { return std::holds_alternative<FigurePolygon>(shape); }));
}

} // namespace

TEST(BudgetFigure, DrawsTheObservedBytesOfAllLinesAtOneScale)
{
    const BudgetStudy study = observed();
    const std::vector<double> widths = filledWidths(drawnBudget(study, 1000), FigurePalette::light());
    std::vector<Bytes> bytes;
    for (const ObservedBudget::Line& line : study.observed->lines)
        bytes.push_back(line.bytes);
    for (const ObservedBudget::CategoryPart& rest : study.observed->rest)
        bytes.push_back(rest.bytes);
    ASSERT_EQ(widths.size(), bytes.size());
    const auto most = static_cast<std::size_t>(std::ranges::max_element(bytes) - bytes.begin());
    for (std::size_t i = 0; i < bytes.size(); ++i)
        EXPECT_NEAR(widths[i],
            std::max(1.0, widths[most] * static_cast<double>(bytes[i]) / static_cast<double>(bytes[most])),
            1e-6);
}

TEST(BudgetFigure, BeginsWithTheSumThatTheStudyHas)
{
    const BudgetStudy study = observed();
    const Figure figure = drawnBudget(study, 1000);
    const std::vector<FigureText> texts = textsOf(figure);
    const auto sum = std::ranges::find(texts, "Sum", &FigureText::text);
    ASSERT_NE(sum, texts.end());
    EXPECT_LT(sum->y, std::ranges::find(texts, "Parameters", &FigureText::text)->y);
    EXPECT_TRUE(says(figure, "1.98 GiB"));
    EXPECT_TRUE(says(figure, "22.62 GiB"));
    EXPECT_TRUE(says(figure, "11.4×"));
}

TEST(BudgetFigure, SaysWhereTheTimelineHasTheBytesOfALine)
{
    const BudgetStudy study = observed();
    const std::string text = timelineText(*study.budget.find(BudgetLineName::Activations), *study.observed);
    EXPECT_TRUE(test::hasParts(text, {"part of ", " of activations in the timeline"}));
    EXPECT_TRUE(says(drawnBudget(study, 1000), text));
}

TEST(BudgetFigure, CutsNoFormulaWhereThereIsRoom)
{
    EXPECT_TRUE(says(drawnBudget(observed(), 960), "8 × 174 × 12 × (58 × 768 + 4 × 12)"));
}

TEST(BudgetFigure, MarksFactorsOfTwoAndMore)
{
    const FigurePalette colors = FigurePalette::light();
    for (const FigureText& text : textsOf(drawnBudget(observed(), 1000))) {
        if (text.text == "39.5×") {
            EXPECT_EQ(text.color, colors.danger);
        }
        if (text.text == "1×") {
            EXPECT_NE(text.color, colors.danger);
        }
    }
}

TEST(BudgetFigure, BeginsEachGpuWithTheVerdictOfTheTable)
{
    const BudgetStudy study = observed();
    const Figure figure = drawnBudget(study, 1400);
    const std::vector<FigureText> texts = textsOf(figure);
    for (const GpuFit& fit : study.nearestFits())
        EXPECT_TRUE(std::ranges::any_of(texts, [&](const FigureText& text) {
            return text.text.starts_with(std::string(fit.word()));
        })) << fit.gpu;
    EXPECT_TRUE(says(figure, "no, at least 1.34 GiB short"));
}

TEST(BudgetFigure, StatesOnceWhatAllGpusAreComparedWith)
{
    const BudgetStudy study = observed();
    const std::vector<GpuNeed> needs = gpuNeeds(study);
    ASSERT_EQ(needs.size(), 3u);
    EXPECT_EQ(needs[0].text(),
        "At least 23.37 GiB: 22.62 GiB in use + 48 MiB requested + 723 MiB typical CUDA context");
    EXPECT_EQ(needs[1].text(),
        "As it ran 23.57 GiB: 22.81 GiB reserved + 48 MiB requested + 723 MiB typical CUDA context");
    for (const GpuNeed& need : needs)
        EXPECT_TRUE(says(drawnBudget(study, 1400), need.text())) << need.name;
}

TEST(BudgetFigure, IsRedOnlyForGpusThatTheRunDoesNotFit)
{
    const BudgetStudy study = observed();
    const FigurePalette colors = FigurePalette::light();
    int red = 0;
    for (const FigureText& text : textsOf(drawnBudget(study, 1400))) {
        const bool isNo = text.text.starts_with("no,") || text.text.starts_with("no:");
        if (!text.text.ends_with("×")) {
            EXPECT_EQ(text.color == colors.danger, isNo) << text.text;
        }
        red += isNo;
    }
    EXPECT_GT(red, 0);
}

TEST(BudgetFigure, DrawsWhatIsTooMuchForAGpuPastItsEndAtTheScaleOfItsBar)
{
    const BudgetStudy study = observed();
    const FigurePalette colors = FigurePalette::light();
    std::vector<double> overshoots;
    for (const FigureShape& shape : drawnBudget(study, 1400).shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape); rect && rect->fill == colors.danger)
            overshoots.push_back(rect->width);
    ASSERT_EQ(overshoots.size(), 2u) << "L4, and A10 with A10G";
    const GpuFit smallest = study.nearestFits().front();
    EXPECT_NEAR(overshoots.front() / gpuBars(study).front(),
        static_cast<double>(gpuNeeds(study)[0].bytes - smallest.capacity)
            / static_cast<double>(smallest.capacity),
        1e-6);
}

TEST(BudgetFigure, DrawsGpusAtOneScaleAndBreaksTheBarsOfMuchLargerOnes)
{
    for (const BudgetStudy& study : {observed(), smallRun()}) {
        const std::vector<double> widths = gpuBars(study);
        std::set<Bytes> capacities;
        for (const GpuFit& fit : study.nearestFits())
            capacities.insert(fit.capacity);
        std::set<double> lengths(widths.begin(), widths.end());
        ASSERT_GT(lengths.size(), 2u) << "GPUs that differ little have bars that differ";
        const double longest = *lengths.rbegin();
        std::size_t broken = 0;
        for (const Bytes capacity : capacities) {
            const double expected
                = *lengths.begin() * static_cast<double>(capacity) / static_cast<double>(*capacities.begin());
            const bool isWhole = std::ranges::any_of(
                lengths, [&](double length) { return std::abs(length - expected) < 1e-6; });
            broken += !isWhole;
            EXPECT_TRUE(isWhole || expected > longest) << capacity;
        }
        EXPECT_EQ(lengths.size(), capacities.size() - broken + 1) << "the broken bars are equally long";
        EXPECT_GT(breakMarks(study), 0u);
    }
}

TEST(BudgetFigure, MarksTheEndOfEachGpuOverItsBar)
{
    const BudgetStudy study = observed();
    const FigurePalette colors = FigurePalette::light();
    std::vector<double> ends;
    std::vector<double> marks;
    for (const FigureShape& shape : drawnBudget(study, 1400).shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape)) {
            if (rect->fill == colors.hover && rect->height == 10)
                ends.push_back(rect->x + rect->width);
            else if (rect->fill == colors.text && rect->width == 2)
                marks.push_back(rect->x + 1);
        }
    ASSERT_EQ(marks.size(), ends.size());
    for (std::size_t i = 0; i < ends.size(); ++i)
        EXPECT_NEAR(marks[i], ends[i], 1e-6);
}

TEST(BudgetFigure, HasTheGpuOfItsHeadingInBold)
{
    const BudgetStudy study = smallRun();
    const GpuFit* const leading = leadingFit(&*study.observed, study.fits);
    ASSERT_TRUE(leading);
    EXPECT_TRUE(contains(budgetHeadline(study), leading->gpu));
    const std::vector<FigureText> texts = textsOf(drawnBudget(study, 1400));
    const auto row = std::ranges::find(texts, leading->gpu, &FigureText::text);
    ASSERT_NE(row, texts.end()) << "in a row of its own";
    EXPECT_TRUE(row->bold);
}

TEST(BudgetStudy, ListsTheGpuThatItsSentencesName)
{
    BudgetStudy study = smallRun();
    for (GpuFit& fit : study.allFits) // as if it were too close to say for all smaller GPUs
        if (fit.capacity < 20 * kGiB)
            fit.verdict = FitVerdict::TooClose;
    study.fits = study.allFits;
    const GpuFit* const leading = leadingFit(&*study.observed, study.fits);
    ASSERT_TRUE(leading);
    const std::vector<GpuFit> listed = study.nearestFits();
    EXPECT_NE(std::ranges::find(listed, leading->gpu, &GpuFit::gpu), listed.end()) << leading->gpu;
}

TEST(BudgetFigure, HasTheKeyOfItsBarsBehindTheTitleOfTheNames)
{
    const std::vector<FigureText> texts = textsOf(drawnBudget(expectedAlone(), 1000));
    const auto title = std::ranges::find(texts, "Line and formula, in bytes", &FigureText::text);
    const auto key = std::ranges::find(texts, "expected", &FigureText::text);
    ASSERT_NE(title, texts.end());
    ASSERT_NE(key, texts.end());
    EXPECT_LT(title->x + textWidth(title->text, title->size), key->x - 20) << "the swatch is 20 wide";
}

TEST(BudgetFigure, EndsWithTheGpusWhereThereIsRoom)
{
    const std::vector<FigureText> texts = textsOf(drawnBudget(observed(), 1000));
    const auto gpus = std::ranges::find(texts, "GPUs", &FigureText::text);
    ASSERT_NE(gpus, texts.end());
    EXPECT_GT(gpus->y, std::ranges::find(texts, "Parameters", &FigureText::text)->y);
    EXPECT_FALSE(std::ranges::any_of(
        texts, [](const FigureText& text) { return contains(text.text, "more lines do not fit"); }));
}

TEST(BudgetFigure, ShowsTheNearestGpusWithTheConfiguredOneInBold)
{
    const BudgetStudy study = observed();
    EXPECT_EQ(study.gpus.size(), 1u);
    const std::vector<FigureText> texts = textsOf(drawnBudget(study, 2400));
    EXPECT_LT(study.nearestFits().size(), study.allFits.size());
    for (const GpuFit& fit : study.nearestFits()) {
        const auto name = std::ranges::find_if(texts, [&fit](const FigureText& text) {
            return text.size == FigureText{}.size && contains(text.text, fit.gpu);
        });
        ASSERT_NE(name, texts.end()) << fit.gpu;
        EXPECT_EQ(name->bold, fit.gpu == "L4") << fit.gpu;
    }
}

TEST(BudgetFigure, WithoutAnObservationHasOneColumnOfFigures)
{
    const Figure figure = drawnBudget(expectedAlone(), 1000);
    EXPECT_TRUE(says(figure, "Expected"));
    EXPECT_FALSE(says(figure, "Observed"));
    EXPECT_FALSE(says(figure, "Factor"));
}

TEST(BudgetFigure, KeepsAllTextsOnTheSheetAtAnyWidth)
{
    const BudgetStudy study = observed();
    for (const int width : {360, 500, 760, 1200, 2400}) {
        const Figure figure = drawnBudget(study, width);
        for (const FigureText& text : textsOf(figure)) {
            const double length = textWidth(text.text, text.size, text.bold);
            const double begin = text.anchor == TextAnchor::End ? text.x - length
                : text.anchor == TextAnchor::Middle             ? text.x - length / 2
                                                                : text.x;
            EXPECT_GE(begin, 0) << text.text << " at " << width;
            EXPECT_LE(begin + length, width) << text.text << " at " << width;
            EXPECT_LE(text.y, figure.height) << text.text << " at " << width;
        }
    }
}

TEST(BudgetFigure, LeavesOutWhatDoesNotFitAndSaysSo)
{
    const FigureOptions low{.width = 800, .height = 180, .titled = false};
    const Figure figure = budgetFigure(observed(), low);
    EXPECT_TRUE(std::ranges::any_of(textsOf(figure),
        [](const FigureText& text) { return text.text.find("more lines do not fit") != std::string::npos; }));
    EXPECT_FALSE(says(figure, "GPUs"));
}

TEST(BudgetHeadline, NamesTheFactorAndTheLargestGap)
{
    const BudgetStudy study = observed();
    EXPECT_TRUE(test::hasParts(budgetHeadline(study), {"22.62 GiB", "11.4×", "1.98 GiB"}));
    EXPECT_TRUE(test::hasParts(budgetSubline(study), {"activations", "11.36 GiB"}));
    EXPECT_TRUE(test::hasParts(budgetHeadline(expectedAlone()), {"1.98 GiB"}));
}

} // namespace highwater
