// Compares the figures that the reference cases state with the formulas.
#include "core/analysis/budget/stated_figures.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/loading/run_shape_file.h"
#include "core/analysis/budget/gpu_fit.h"
#include "core/analysis/budget/what_if.h"
#include "tests/support/run_document.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::gib;
using test::LineName;
using test::lineOf;
using Kind = StatedVerdict::Kind;

namespace {

struct Case
{
    RunShape run;
    Budget budget;
    StatedFigures stated;

    const StatedVerdict& verdict(std::optional<LineName> line) const
    {
        return *std::ranges::find(stated.verdicts, line, &StatedVerdict::line);
    }
    std::string sentences() const
    {
        std::string text;
        for (const StatedVerdict& verdict : stated.verdicts)
            text += verdict.sentence + "\n";
        for (const std::string& sentence : stated.sentences)
            text += sentence + "\n";
        return text;
    }
    bool says(const std::string& words) const { return sentences().find(words) != std::string::npos; }
};

Case judgedRun(const RunShape& run)
{
    const Budget budget = expectedBudget(run).value();
    return {run, budget, judgeStatedFigures(run, budget)};
}

Case sampleCase(const std::string& name)
{
    const auto run = loadRunShape(test::samplePath("budget/" + name + ".yaml"));
    EXPECT_TRUE(run) << run.error().message;
    return judgedRun(run.value_or(RunShape()));
}

Case caseOf(const std::string& text)
{
    return judgedRun(test::readRun(text).value());
}

bool fitsItsGpu(const Case& one)
{
    return fitGpus(one.budget.expected, chooseGpus(one.run.gpus).value(), 0).front().fits;
}

} // namespace

TEST(StatedR1, IsTwoModelsAndLogitsOfMixedUnits)
{
    for (const char* name : {"r1-grpo", "r1-as-counted"}) {
        const Case r1 = sampleCase(name);
        EXPECT_EQ(lineOf(r1.budget, LineName::Parameters), 248'879'616);
        EXPECT_EQ(lineOf(r1.budget, LineName::ReferenceModel), 248'879'616);
        EXPECT_EQ(lineOf(r1.budget, LineName::Logits), 139'915'488);
        EXPECT_EQ(r1.budget.find(LineName::Logits)->formula(), "8 × 174 × 50257 × 2");
        EXPECT_EQ(r1.verdict(std::nullopt).computed, 637'674'720);
        EXPECT_EQ(r1.verdict(std::nullopt).kind, Kind::Decimal);
        for (const LineName line : {LineName::Parameters, LineName::ReferenceModel, LineName::Logits})
            EXPECT_EQ(r1.verdict(line).kind, Kind::Binary);
        EXPECT_TRUE(
            r1.says("0.23 GB for parameters: this equals the estimate only in GiB; in GB the estimate is "
                    "0.25 GB (248,879,616 B)"))
            << r1.sentences();
        EXPECT_EQ(r1.stated.sentences,
            (std::vector<std::string>{
                "the stated parameters, reference model and logits equal the estimate in GiB, not in GB"}));
    }
    EXPECT_EQ(sampleCase("r1-as-counted").budget.expected, 637'674'720);
    EXPECT_TRUE(sampleCase("r1-grpo").says(
        "this equals their estimate (637,674,720 B); not counted: gradients, optimizer state and "
        "activations (1.49 GB)"));
}

TEST(StatedR3, HasParametersThatAreFarFromTwoGibibytes)
{
    const Case r3 = sampleCase("r3-vocabulary");
    EXPECT_NEAR(gib(lineOf(r3.budget, LineName::Parameters)), 0.15, 0.005);
    EXPECT_EQ(r3.verdict(LineName::Parameters).kind, Kind::StatedTooHigh);
    EXPECT_EQ(r3.verdict(LineName::Parameters).computed, 160'000'000);
    EXPECT_TRUE(r3.says("1.85 GiB above the estimate of 152.59 MiB (160,000,000 B)")) << r3.sentences();
    EXPECT_EQ(r3.verdict(LineName::Logits).kind, Kind::Binary);
    EXPECT_FALSE(fitsItsGpu(r3));
}

TEST(StatedR3, HasLogitsThatFallWithTheBatch)
{
    const Case r3 = sampleCase("r3-vocabulary");
    const auto grid = whatIf(
        r3.run, {{"batch", {"512", "256", "128", "64", "32"}}, {"seq_len", {"512", "256"}}}, std::nullopt);
    ASSERT_TRUE(grid);
    const auto logits = [&grid](const std::string& batch, const std::string& tokens) {
        const auto found
            = std::ranges::find(grid->cases, std::vector<std::string>{batch, tokens}, &WhatIfCase::values);
        return gib(lineOf(found->budget, LineName::Logits));
    };
    EXPECT_NEAR(logits("512", "512"), 49.08, 0.005);
    EXPECT_NEAR(logits("256", "256"), 12.27, 0.005);
    EXPECT_NEAR(logits("128", "256"), 6.13, 0.006);
    EXPECT_NEAR(logits("64", "256"), 3.07, 0.005);
    EXPECT_NEAR(logits("32", "256"), 1.53, 0.005);
}

TEST(StatedR5, HasOptimizerStateThatOnlyEightBitsExplain)
{
    const Case r5 = sampleCase("r5-flan-t5-xl");
    EXPECT_EQ(r5.budget.expected, 34'000'000'000);
    EXPECT_EQ(r5.verdict(LineName::OptimizerState).kind, Kind::StatedTooLow);
    EXPECT_EQ(r5.verdict(std::nullopt).kind, Kind::StatedTooLow);
    EXPECT_TRUE(r5.says("adamw-8bit would need 6 GB")) << r5.sentences();
    EXPECT_TRUE(r5.verdict(LineName::Activations).confirmsItself);
    EXPECT_FALSE(r5.verdict(LineName::Parameters).confirmsItself);
    EXPECT_TRUE(r5.says("total of 28 GB is below the estimate")) << r5.sentences();
    EXPECT_FALSE(fitsItsGpu(r5));
}

TEST(StatedR5, BelievesObservedBytesMoreThanTheEstimate)
{
    const Case r5 = sampleCase("r5-flan-t5-xl");
    ObservedBudget observed;
    observed.lines = {{.name = LineName::OptimizerState, .bytes = 5'700'000'000}};
    const Case judged{r5.run, r5.budget, judgeStatedFigures(r5.run, r5.budget, &observed)};
    EXPECT_EQ(judged.verdict(LineName::OptimizerState).kind, Kind::AsObserved);
    EXPECT_TRUE(judged.says(
        "and the run has 5.31 GiB (5.7 GB); the estimate is 11.18 GiB; adamw-8bit would need 6 GB: check"))
        << judged.sentences();
    EXPECT_FALSE(judged.says("the stated total of")) << "its sum has the estimate that the run contradicts";
}

TEST(StatedR5, FitsWithEightBitStates)
{
    const Case r5 = sampleCase("r5-flan-t5-xl-8bit");
    EXPECT_EQ(r5.budget.expected, 28'000'000'000);
    EXPECT_TRUE(fitsItsGpu(r5));
    for (const StatedVerdict& verdict : r5.stated.verdicts)
        EXPECT_LT(verdict.kind, Kind::StatedTooLow) << verdict.sentence;
}

TEST(StatedR5, IsCloserWithTheParametersThatTheModelHas)
{
    const Case r5 = sampleCase("r5-flan-t5-xl-counted");
    EXPECT_EQ(r5.budget.parameters, 2'849'757'184);
    EXPECT_EQ(r5.budget.expected, 8 * 2'849'757'184 + 10'000'000'000);
}

TEST(StatedFigures, AreRightInTheUnitsThatTheyRoundTo)
{
    const auto kindOf = [](const std::string& figure) {
        return caseOf(
            "parameters: 1073741824\ndtype: int8\ncopies: [{trainable: false}]\nstated: {parameters: "
            + figure + "}")
            .verdict(LineName::Parameters)
            .kind;
    };
    EXPECT_EQ(kindOf("1.00 GB"), Kind::Binary);
    EXPECT_EQ(kindOf("1.07 GB"), Kind::Decimal);
    EXPECT_EQ(kindOf("1 GB"), Kind::Both);
    EXPECT_EQ(kindOf("1.07 GiB"), Kind::StatedTooHigh);
    EXPECT_EQ(kindOf("0.5 GB"), Kind::StatedTooLow);
    EXPECT_EQ(kindOf("0.9-1.1 GiB"), Kind::Binary);
    EXPECT_EQ(kindOf("1073741824"), Kind::Both);
}

TEST(StatedFigures, OfLinesThatAreNotComputedSaySo)
{
    const Case one = caseOf("parameters: 1\ndtype: int8\nstated: {critic: 1 GB}\n");
    EXPECT_EQ(one.verdict(LineName::Critic).kind, Kind::NotComputed);
}

TEST(StatedFigures, WithoutLinesAreOfTheWholeSum)
{
    const Case one = caseOf("parameters: 1000000000\ndtype: bf16\noptimizer: adamw\nstated: {total: 8 GB}\n");
    EXPECT_EQ(one.verdict(std::nullopt).kind, Kind::Decimal);
    EXPECT_EQ(one.verdict(std::nullopt).computed, 8'000'000'000);
}

} // namespace highwater
