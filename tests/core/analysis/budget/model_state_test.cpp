// Tests of the bytes per parameter under each regime, compared with DeepSpeed's documentation for its stages.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/run_document.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::budgetOf;
using test::gib;
using test::LineName;
using test::lineOf;

namespace {

/// Returns the sum of all lines that do not depend on the batch, in bytes per parameter, for a billion
/// parameters.
double bytesPerParameter(const std::string& settings)
{
    return static_cast<double>(budgetOf("parameters: 1000000000\n" + settings).expected) / 1e9;
}

/// Returns the figure for t5-3b from DeepSpeed's documentation: 2,851 M parameters, 32 M in the largest
/// layer, 8 devices.
double t5Gib(const std::string& sharding)
{
    return gib(budgetOf("parameters: 2851000000\nlargest_layer: 32000000\ndtype: bf16\noptimizer: adamw\n"
                        "master_weights: true\nsharding: {world: 8, "
        + sharding + "}\n")
                   .expected);
}

} // namespace

struct Regime
{
    const char* settings;
    double bytes;
};

class Regimes : public testing::TestWithParam<Regime>
{
};

TEST_P(Regimes, HaveTheirBytesForEachParameter)
{
    EXPECT_DOUBLE_EQ(bytesPerParameter(GetParam().settings), GetParam().bytes);
}

INSTANTIATE_TEST_SUITE_P(Table, Regimes,
    testing::Values(Regime{"dtype: fp32\noptimizer: adamw", 16},
        Regime{"dtype: bf16\noptimizer: adamw\nmaster_weights: true", 16},
        Regime{"dtype: bf16\noptimizer: adamw", 8}, Regime{"dtype: fp32\noptimizer: adamw-8bit", 10},
        Regime{"dtype: bf16\noptimizer: adamw-8bit", 6}, Regime{"dtype: fp32\noptimizer: sgd-momentum", 12},
        Regime{"dtype: fp32\noptimizer: sgd", 8}, Regime{"dtype: fp32\noptimizer: adafactor", 12},
        Regime{"dtype: bf16\noptimizer: adamw\noptimizer_dtype: fp32", 12},
        Regime{"dtype: bf16\ncopies: [{role: policy, trainable: false}]", 2},
        Regime{"dtype: int8\ncopies: [{role: policy, trainable: false}]", 1},
        Regime{"dtype: bf16\noptimizer: adamw\nsharding: {kind: ddp, world: 8}", 8},
        Regime{"dtype: bf16\noptimizer: adamw\nmaster_weights: true\nsharding: {kind: zero1, world: 8}",
            2 + 2 + 12.0 / 8},
        Regime{"dtype: bf16\noptimizer: adamw\nmaster_weights: true\nsharding: {kind: zero2, world: 8}",
            4 + 16.0 / 8}));

TEST(MixedPrecision, HasEighteenBytesAtMost)
{
    const Budget budget = budgetOf(
        "parameters: 1000\ndtype: bf16\noptimizer: adamw\nmaster_weights: true\nactivations_bytes: 9000\n");
    const auto high = [&budget](LineName name) { return budget.find(name)->high(); };
    EXPECT_EQ(high(LineName::Parameters) + high(LineName::Gradients) + high(LineName::MasterWeights)
            + high(LineName::OptimizerState),
        18'000);
}

TEST(Sharding, NeedsWhatDeepSpeedsDocumentationStates)
{
    EXPECT_NEAR(t5Gib("kind: zero2"), 15.93, 0.005);
    EXPECT_NEAR(t5Gib("kind: zero3"), 6.09, 0.005);
    EXPECT_NEAR(t5Gib("kind: zero3, offload: optimizer"), 0.78, 0.005);
    EXPECT_NEAR(t5Gib("kind: zero2, offload: optimizer"), gib(2 * 2851000000ll), 1e-9);
    EXPECT_NEAR(t5Gib("kind: zero3, offload: all"), gib(4 * 32000000ll), 1e-9);
}

TEST(Sharding, NamesTheLargestLayerWhereItIsNotGiven)
{
    const Budget budget = budgetOf("parameters: 1000\ndtype: bf16\nsharding: {kind: zero3, world: 8}");
    EXPECT_EQ(lineOf(budget, LineName::Temporary), -1);
    ASSERT_FALSE(budget.leftOut.empty());
    EXPECT_NE(
        std::ranges::find(budget.leftOut, LineName::Temporary, &LeftOutLine::name), budget.leftOut.end());
}

TEST(Sharding, KeepsDdpsGradientsTwiceAtMost)
{
    const Budget budget = budgetOf("parameters: 1000\ndtype: bf16\nsharding: {kind: ddp, world: 8}");
    EXPECT_EQ(budget.find(LineName::Gradients)->likely(), 2000);
    EXPECT_EQ(budget.find(LineName::Gradients)->high(), 4000);
}

TEST(Sharding, LeavesAnEngineWhole)
{
    const Budget budget
        = budgetOf("parameters: 1000\nlargest_layer: 10\ndtype: bf16\n"
                   "copies: [{role: policy}, {role: engine}]\nsharding: {kind: zero3, world: 10}");
    EXPECT_EQ(lineOf(budget, LineName::Engine), 2000);
    EXPECT_EQ(lineOf(budget, LineName::Parameters), 200);
}

TEST(Lora, TrainsAdaptersOfSixteenBytesOnAFrozenModel)
{
    const std::string model = test::readWholeFile(test::samplePath("budget/models/llama-3-8b.json"));
    const Budget budget = budgetOf("lora_rank: 16\ndtype: nf4\noptimizer: adamw\n", model);
    EXPECT_EQ(budget.trainedCount, 41'943'040);
    const Bytes weights = 4 * *budget.trainedCount;
    EXPECT_EQ(weights + lineOf(budget, LineName::Gradients) + lineOf(budget, LineName::OptimizerState),
        16 * *budget.trainedCount); // 0.63 GiB
    EXPECT_NEAR(gib(lineOf(budget, LineName::Parameters) - 4 * *budget.trainedCount), 3.9, 0.05);
}

TEST(Lora, OfAShareTrainsThatShare)
{
    const Budget budget
        = budgetOf("parameters: 1000000\ntrainable_share: 0.01\ndtype: bf16\noptimizer: adamw\n");
    EXPECT_EQ(lineOf(budget, LineName::Parameters), 2'000'000);
    EXPECT_EQ(lineOf(budget, LineName::Gradients), 20'000);
    EXPECT_EQ(lineOf(budget, LineName::OptimizerState), 40'000);
}

TEST(Adafactor, KeepsRowsAndColumnsWhereTheShapeIsKnown)
{
    const std::string model = test::readWholeFile(test::samplePath("budget/models/gpt2.json"));
    const Budget budget = budgetOf("dtype: fp32\noptimizer: adafactor\n", model);
    const BudgetLine* const state = budget.find(LineName::OptimizerState);
    EXPECT_LT(state->likely(), 4'000'000);
    EXPECT_GT(state->high(), 4 * 124'439'808ll);
}

TEST(Copies, OfAnEngineAreTheSixteenGigabytesOfUnslothsTable)
{
    const std::string model = test::readWholeFile(test::samplePath("budget/models/llama-3-8b.json"));
    const Budget budget = budgetOf("copies: [{role: policy}, {role: engine}]\n", model);
    EXPECT_NEAR(static_cast<double>(lineOf(budget, LineName::Engine)), 16e9, 0.1e9);
}

TEST(Copies, StandOnTheirOwnLines)
{
    const Budget budget
        = budgetOf("parameters: 1000\ndtype: bf16\noptimizer: adamw\ncopies:\n- role: policy\n"
                   "- role: reference\n- {role: reward, parameters: 500}\n- role: critic\n"
                   "- {role: engine, dtype: fp8}\n");
    EXPECT_EQ(lineOf(budget, LineName::Parameters), 2000);
    EXPECT_EQ(lineOf(budget, LineName::Gradients), 2000);
    EXPECT_EQ(lineOf(budget, LineName::OptimizerState), 4000);
    EXPECT_EQ(lineOf(budget, LineName::ReferenceModel), 2000 + 1000);
    EXPECT_EQ(lineOf(budget, LineName::Critic), 8000);
    EXPECT_EQ(lineOf(budget, LineName::Engine), 1000);
}

TEST(Optimizers, HaveTheirStatesAndTheTemporariesOfTheirStep)
{
    const auto state = [](const std::string& optimizer, LineName line) {
        const Budget budget
            = budgetOf("parameters: 1000\ndtype: fp32\nactivations_bytes: 0\noptimizer: " + optimizer);
        return lineOf(budget, line);
    };
    for (const auto& [name, bytes, temporary] :
        {std::tuple("adam", 8000, 4000), {"adamw_torch_fused", 8000, -1}, {"adam8bit", 2000, -1},
            {"paged_adamw_8bit", 0, -1}, {"lion", 4000, -1}, {"lion_8bit", 1000, -1}, {"rmsprop", 4000, 4000},
            {"momentum", 4000, -1}, {"sgd", 0, -1}}) {
        EXPECT_EQ(state(name, LineName::OptimizerState), bytes) << name;
        EXPECT_EQ(state(name, LineName::Temporary), temporary) << name;
    }
}

TEST(Muon, KeepsOneValueOfMatricesAndTwoOfEmbeddings)
{
    const std::string model = test::readWholeFile(test::samplePath("budget/models/gpt2.json"));
    const BudgetLine line = *budgetOf("dtype: fp32\noptimizer: muon\n", model).find(LineName::OptimizerState);
    EXPECT_GT(line.likely(), 4 * 124'439'808ll);
    EXPECT_LT(line.likely(), 8 * 124'439'808ll);
}

} // namespace highwater
