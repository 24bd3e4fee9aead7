#include "core/analysis/budget/budget.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/run_document.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::budgetOf;
using test::LineName;
using test::lineOf;
using test::readRun;

namespace {

/// Evaluates a formula's text independently: + − × / and parentheses, quotients rounded up.
class Calculator
{
public:
    explicit Calculator(std::string_view text)
        : m_text(text)
    {
    }
    std::int64_t sum()
    {
        std::int64_t value = product();
        for (;;) {
            if (take(" + "))
                value += product();
            else if (take(" − "))
                value -= product();
            else
                return value;
        }
    }
    bool isAtEnd() const { return m_text.empty(); }

private:
    std::int64_t product()
    {
        std::int64_t value = factor();
        for (;;) {
            if (take(" × "))
                value *= factor();
            else if (take(" / ")) {
                const std::int64_t divisor = factor();
                value = (value + divisor - 1) / divisor;
            } else {
                return value;
            }
        }
    }
    std::int64_t factor()
    {
        if (take("(")) {
            const std::int64_t value = sum();
            EXPECT_TRUE(take(")"));
            return value;
        }
        std::int64_t value = 0;
        while (!m_text.empty() && m_text.front() >= '0' && m_text.front() <= '9') {
            value = value * 10 + (m_text.front() - '0');
            m_text.remove_prefix(1);
        }
        return value;
    }
    bool take(std::string_view word)
    {
        if (!m_text.starts_with(word))
            return false;
        m_text.remove_prefix(word.size());
        return true;
    }

    std::string_view m_text;
};

std::string randomRun(std::mt19937& random)
{
    const auto number = [&random](int least, int most) {
        return std::to_string(std::uniform_int_distribution<int>(least, most)(random));
    };
    const auto one = [&random](std::initializer_list<const char*> of) {
        return std::string(
            *(of.begin() + std::uniform_int_distribution<std::size_t>(0, of.size() - 1)(random)));
    };
    const auto maybe = [&random](const std::string& line) {
        return std::uniform_int_distribution<int>(0, 3)(random) == 0 ? std::string() : line + "\n";
    };
    return "parameters: " + number(1, 100'000'000) + "\n"
        + maybe("dtype: " + one({"fp32", "bf16", "nf4", "int8"})) + maybe("batch: " + number(1, 64))
        + maybe("seq_len: " + number(1, 4096)) + maybe("vocab: " + number(1, 200'000))
        + maybe("hidden: " + number(64, 4096)) + maybe("layers: " + number(1, 64))
        + maybe("heads: " + number(1, 64)) + maybe("intermediate: " + number(64, 16384))
        + maybe("optimizer: " + one({"adamw", "adamw-8bit", "adafactor", "sgd", "sgd-momentum", "none"}))
        + maybe("family: " + one({"gpt2", "llama", "t5"})) + maybe("group: " + number(1, 8))
        + maybe("master_weights: " + one({"true", "false"})) + maybe("trainable_share: 0.03")
        + maybe("checkpointing: " + one({"none", "selective", "full"}))
        + maybe("attention: " + one({"flash", "eager"})) + maybe("logits_copies: " + number(1, 4))
        + maybe("accumulation: " + number(1, 8))
        + maybe("copies: [{role: policy}, {role: reference}, {role: critic}, {role: engine}]")
        + maybe("sharding: {kind: " + one({"ddp", "zero1", "zero2", "zero3", "fsdp"})
            + ", world: " + number(1, 16) + ", offload: " + one({"none", "optimizer", "all"}) + "}")
        + maybe("largest_layer: " + number(1, 1'000'000)) + maybe("activations_dtype: bf16");
}

} // namespace

TEST(Budgets, SumUpAndComputeWhatTheirFormulaeSay)
{
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
        const std::string text = randomRun(random);
        const Budget budget = budgetOf(text);
        Bytes low = 0;
        Bytes likely = 0;
        Bytes high = 0;
        for (const BudgetLine& line : budget.lines) {
            low += line.low();
            likely += line.likely();
            high += line.high();
            EXPECT_LE(0, line.low()) << text;
            EXPECT_LE(line.low(), line.likely()) << text << toText(line.name);
            EXPECT_LE(line.likely(), line.high()) << text << toText(line.name);
            for (const Formula* const formula : {&line.range.low, &line.range.likely, &line.range.high}) {
                Calculator calculator(formula->text());
                EXPECT_EQ(calculator.sum(), formula->value()) << formula->text();
                EXPECT_TRUE(calculator.isAtEnd()) << formula->text();
            }
        }
        EXPECT_EQ(budget.low, low);
        EXPECT_EQ(budget.expected, likely);
        EXPECT_EQ(budget.high, high);
    }
}

TEST(Budgets, HaveNoLineTwiceOrBothInTheSumAndLeftOut)
{
    std::mt19937 random(2);
    for (int i = 0; i < 200; ++i) {
        const Budget budget = budgetOf(randomRun(random));
        std::vector<LineName> names;
        for (const BudgetLine& line : budget.lines)
            names.push_back(line.name);
        for (const LeftOutLine& line : budget.leftOut)
            names.push_back(line.name);
        std::ranges::sort(names);
        EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
    }
}

TEST(Budgets, NameWhatIsLeftOut)
{
    const Budget budget = budgetOf("parameters: 1000\n");
    EXPECT_TRUE(budget.lines.empty());
    EXPECT_EQ(budget.expected, 0);
    const auto left = [&budget](LineName name) {
        const auto found = std::ranges::find(budget.leftOut, name, &LeftOutLine::name);
        return found == budget.leftOut.end() ? std::vector<std::string>() : found->missing;
    };
    EXPECT_EQ(left(LineName::Parameters), std::vector<std::string>{"dtype"});
    EXPECT_EQ(left(LineName::OptimizerState), (std::vector<std::string>{"dtype", "optimizer"}));
    EXPECT_EQ(
        left(LineName::Logits), (std::vector<std::string>{"batch", "seq_len", "vocab", "logits_dtype"}));
    EXPECT_EQ(left(LineName::Outside), std::vector<std::string>{"outside_bytes"});
    const auto outside = std::ranges::find(budget.leftOut, LineName::Outside, &LeftOutLine::name);
    ASSERT_NE(outside, budget.leftOut.end());
    EXPECT_NE(outside->sentence.find("adds 723 MiB"), std::string::npos) << outside->sentence;
}

TEST(Budgets, CountTheOptimizersStepAsFarAsItExceedsTheActivations)
{
    const std::string run = "parameters: 1000\ndtype: fp32\noptimizer: adamw\nactivations_bytes: ";
    EXPECT_EQ(lineOf(budgetOf(run + "1000"), LineName::Temporary), 3000);
    EXPECT_EQ(lineOf(budgetOf(run + "9000"), LineName::Temporary), 0);
    EXPECT_EQ(budgetOf(run + "9000").find(LineName::Temporary)->high(), 4000);
}

TEST(Budgets, TakeTheDtypeOfTheModelsFile)
{
    const std::string model = test::readWholeFile(test::samplePath("budget/models/llama-3-8b.json"));
    EXPECT_EQ(lineOf(budgetOf("batch: 1\n", model), LineName::Parameters), 2 * 8'030'261'248);
}

TEST(Budgets, ThatCannotBeCountedAreOneSentence)
{
    for (const char* text : {"parameters: 1000000000000000\ndtype: fp32\nbatch: 1000000000\ngroup: "
                             "1000000000\nseq_len: 1000000000\n"
                             "vocab: 100000000\n",
             "batch: 1000000000\nseq_len: 1000000000\nhidden: 10000000\nlayers: 100000\nheads: "
             "100000\ndtype: fp32\n"
             "parameters: 5\nvocab: 1\n",
             "family: llama\nvocab: 100000000\nhidden: 10000000\nlayers: 100000\nheads: 100000\nhead_dim: "
             "10000000\n"
             "intermediate: 100000000\ndtype: bf16\n",
             "parameters: 5\ndtype: bf16\nkv_cache_tokens: 1000000000000000000\nlayers: 100000\nheads: "
             "100000\n"
             "head_dim: 1000\n",
             "family: llama\nvocab: 1000000\nhidden: 1000000\nlayers: 100000\nheads: 1000\nintermediate: "
             "1000000\n"
             "dtype: bf16\nlora_rank: 10000000\noptimizer: adamw\nparameters: 1000000000000000\n"
             "copies: [{role: policy}, {role: policy}, {role: policy}]\n"}) {
        const auto run = readRun(text);
        ASSERT_TRUE(run) << run.error().message;
        const auto budget = expectedBudget(*run);
        ASSERT_FALSE(budget) << text;
        EXPECT_NE(budget.error().message.find("be counted"), std::string::npos) << budget.error().message;
        EXPECT_LT(budget.error().message.size(), 250u);
    }
}

} // namespace highwater
