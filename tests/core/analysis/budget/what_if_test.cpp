#include "core/analysis/budget/what_if.h"

#include <gtest/gtest.h>

#include "tests/support/run_document.h"

namespace highwater {

using test::LineName;
using test::lineOf;

namespace {

WhatIfGrid gridOf(
    const std::string& run, const std::vector<std::string>& axes, std::optional<double> factor = std::nullopt)
{
    std::vector<WhatIfAxis> parsed;
    for (const std::string& axis : axes)
        parsed.push_back(whatIfAxisFromText(axis).value());
    const auto grid = whatIf(test::readRun(run).value(), parsed, factor);
    EXPECT_TRUE(grid) << grid.error().message;
    return grid.value_or(WhatIfGrid());
}

std::string problemOf(const std::string& run, const std::vector<std::string>& axes)
{
    std::vector<WhatIfAxis> parsed;
    for (const std::string& text : axes) {
        const auto axis = whatIfAxisFromText(text);
        if (!axis)
            return axis.error().message;
        parsed.push_back(*axis);
    }
    const auto grid = whatIf(test::readRun(run).value(), parsed, std::nullopt);
    return grid ? "" : grid.error().message;
}

const char* const kRun
    = "parameters: 1000\ndtype: bf16\nbatch: 8\nseq_len: 100\nvocab: 50\naccumulation: 2\n";

} // namespace

TEST(WhatIfs, AreEveryCombinationWithTheLastAxisFastest)
{
    const WhatIfGrid grid = gridOf(kRun, {"batch=8,4", "seq_len=100,50,25"});
    ASSERT_EQ(grid.cases.size(), 6u);
    EXPECT_EQ(grid.cases[1].values, (std::vector<std::string>{"8", "50"}));
    EXPECT_EQ(lineOf(grid.cases[5].budget, LineName::Logits), 4 * 25 * 50 * (2 + 3 * 4));
}

TEST(WhatIfs, SayWhichSettingChangesNothing)
{
    const WhatIfGrid grid = gridOf(
        "parameters: 1000\ndtype: bf16\nactivations_bytes: 5000\n", {"batch=1,2", "dtype=bf16,fp32"});
    EXPECT_EQ(whatIfNotes(grid),
        std::vector<std::string>{"batch changes nothing: no line of the estimate depends on it here"});
    EXPECT_EQ(whatIfNotes(gridOf(kRun, {"batch=8,4"})),
        std::vector<std::string>{"the effective batch of the run is 16"});
}

TEST(WhatIfs, KeepTheEffectiveBatch)
{
    const WhatIfGrid grid = gridOf(kRun, {"batch=16,8,4,1"});
    EXPECT_EQ(grid.effectiveBatch, 16);
    const std::vector<std::int64_t> expected = {1, 2, 4, 16};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(grid.cases[i].accumulation, expected[i]);
        EXPECT_EQ(grid.cases[i].effectiveBatch, 16);
        EXPECT_TRUE(grid.cases[i].keepsEffectiveBatch);
    }
}

TEST(WhatIfs, SayWhereTheEffectiveBatchCannotBeKept)
{
    const WhatIfGrid grid = gridOf(kRun, {"batch=3,32"});
    EXPECT_EQ(grid.cases[0].accumulation, 6);
    EXPECT_EQ(grid.cases[0].effectiveBatch, 18);
    EXPECT_FALSE(grid.cases[0].keepsEffectiveBatch);
    EXPECT_EQ(grid.cases[1].accumulation, 1);
    EXPECT_FALSE(grid.cases[1].keepsEffectiveBatch);
}

TEST(WhatIfs, OfAGroupAreThoseOfTheGuide)
{
    // Batch, group and accumulation are (1, 4, 32) and (2, 8, 16): 128 and 256 sequences per step.
    EXPECT_EQ(gridOf("batch: 1\ngroup: 4\naccumulation: 32\n", {"group=8"}).cases[0].accumulation, 16);
    EXPECT_EQ(gridOf("batch: 2\ngroup: 8\naccumulation: 16\n", {"batch=1"}).effectiveBatch, 256);
}

TEST(WhatIfs, ScaleActivationsAsObserved)
{
    const std::string run
        = "parameters: 1000\ndtype: bf16\nbatch: 8\nseq_len: 100\nvocab: 50\naccumulation: 2\n"
          "hidden: 64\nheads: 4\nlayers: 2\nattention: flash\n";
    const WhatIfGrid plain = gridOf(run, {"batch=8,4"});
    const WhatIfGrid scaled = gridOf(run, {"batch=8,4"}, 2.0);
    const Bytes activations = lineOf(plain.cases[1].budget, LineName::Activations);
    EXPECT_EQ(scaled.cases[1].activations, 2 * activations);
    EXPECT_EQ(scaled.cases[1].expected, plain.cases[1].expected + activations);
    EXPECT_EQ(scaled.asConfigured.expected, scaled.cases[0].expected);
}

TEST(WhatIfs, TakeGivenActivationsWithTheTokensAndTheType)
{
    const std::string run
        = "parameters: 1000\ndtype: bf16\nbatch: 8\nseq_len: 100\nvocab: 50\naccumulation: 2\n"
          "activations_bytes: 8000\n";
    EXPECT_EQ(gridOf(run, {"batch=4"}).cases[0].activations, 4000);
    EXPECT_EQ(gridOf(run, {"seq_len=50"}).cases[0].activations, 4000);
    EXPECT_EQ(gridOf(run, {"dtype=fp32"}).cases[0].activations, 16000);
}

TEST(WhatIfs, OfADtypeAreThatOfAllCopies)
{
    const WhatIfGrid grid = gridOf(
        "parameters: 1000\ncopies: [{role: policy, dtype: bf16, trainable: false}]\n", {"dtype=fp32,int8"});
    EXPECT_EQ(lineOf(grid.cases[0].budget, LineName::Parameters), 4000);
    EXPECT_EQ(lineOf(grid.cases[1].budget, LineName::Parameters), 1000);
}

TEST(WhatIfs, CountASmallerVocabularyInTheWeightsToo)
{
    const WhatIfGrid grid
        = gridOf("family: gpt2\nvocab: 100\nhidden: 8\nlayers: 1\nheads: 1\ndtype: fp32\n", {"vocab=100,50"});
    EXPECT_EQ(lineOf(grid.cases[0].budget, LineName::Parameters)
            - lineOf(grid.cases[1].budget, LineName::Parameters),
        50 * 8 * 4 * 2); // embedding and output layer
}

TEST(WhatIfs, ThatCannotBeAreOneSentence)
{
    EXPECT_NE(problemOf(kRun, {"nothing=1"}).find("nothing"), std::string::npos);
    EXPECT_FALSE(problemOf(kRun, {"batch"}).empty());
    EXPECT_FALSE(problemOf(kRun, {"batch="}).empty());
    EXPECT_FALSE(problemOf(kRun, {"batch=1,,2"}).empty());
    EXPECT_NE(problemOf(kRun, {"batch=1,0"}).find("batch"), std::string::npos);
    EXPECT_NE(problemOf(kRun, {"batch=1", "batch=2"}).find("twice"), std::string::npos);
    EXPECT_FALSE(problemOf(kRun, {"batch=1000000000", "seq_len=1000000000", "group=1000000000"}).empty());
}

TEST(WhatIfs, AreBounded)
{
    std::string many = "1";
    for (int i = 2; i <= 30; ++i)
        many += "," + std::to_string(i);
    EXPECT_NE(problemOf(kRun, {"batch=" + many, "seq_len=" + many}).find("combinations"), std::string::npos);
}

} // namespace highwater
