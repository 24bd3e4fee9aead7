#include "core/run/run_shape.h"

#include <gtest/gtest.h>

#include "tests/support/run_document.h"

namespace highwater {

using test::readRun;

namespace {

std::string problemOfRun(std::string_view text)
{
    const Result<RunShape> run = readRun(text);
    return run ? "" : run.error().message;
}

} // namespace

TEST(RunShapes, AreReadFromYamlAndJson)
{
    const auto yaml
        = readRun("parameters: 40_000_000\ndtype: bf16\nbatch: 8\nsharding: {kind: zero2, world: 8}\n");
    const auto json = readRun(
        R"({"parameters": 4e7, "dtype": "bf16", "batch": 8, "sharding": {"kind": "zero2", "world": 8}})");
    ASSERT_TRUE(yaml);
    ASSERT_TRUE(json);
    EXPECT_EQ(*yaml, *json);
    EXPECT_EQ(yaml->parameters, 40'000'000);
    EXPECT_EQ(yaml->sharding.kind, Sharding::Kind::Zero2);
}

TEST(RunShapes, TrainPolicyAndCriticUnlessTheySayOtherwise)
{
    const auto run = readRun(
        "copies:\n- role: policy\n- role: critic\n- role: reference\n- {role: policy, trainable: no}\n");
    ASSERT_TRUE(run);
    ASSERT_EQ(run->copies.size(), 4u);
    EXPECT_TRUE(run->copies[0].trainable);
    EXPECT_TRUE(run->copies[1].trainable);
    EXPECT_FALSE(run->copies[2].trainable);
    EXPECT_FALSE(run->copies[3].trainable);
}

TEST(RunShapes, TakeNothingWhereTheFileSaysNull)
{
    const auto run = readRun(
        "batch: ~\nvocab: null\nseq_len: 4\ncopies: [{dtype: ~}, {role: reference}]\nsharding: ~\n");
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->copies.size(), 2u);
    EXPECT_FALSE(run->batch);
    EXPECT_FALSE(run->shape.vocab);
}

TEST(RunShapes, SayOverTheModelWhatTheRunSays)
{
    const auto run
        = readRun("vocab: 10000\n", R"({"model_type": "gpt2", "vocab_size": 50257, "n_layer": 12})");
    ASSERT_TRUE(run);
    EXPECT_EQ(run->shape.vocab, 10000);
    EXPECT_EQ(run->shape.layers, 12);
}

TEST(RunShapes, CanChangeOneSetting)
{
    const auto run = readRun("batch: 8\nseq_len: 4\n");
    ASSERT_TRUE(run);
    EXPECT_EQ(withSetting(*run, "batch", "2")->batch, 2);
    EXPECT_FALSE(withSetting(*run, "batch", "two"));
    EXPECT_FALSE(withSetting(*run, "nothing", "2"));
}

TEST(RunShapes, CannotAddAdaptersToAShareOfTheWeights)
{
    const auto run = readRun("trainable_share: 0.1\n");
    ASSERT_TRUE(run);
    EXPECT_FALSE(withSetting(*run, "lora_rank", "8"));
}

struct BadSetting
{
    const char* text;
    const char* key; ///< the key that the sentence names
};

class BadRun : public testing::TestWithParam<BadSetting>
{
};

TEST_P(BadRun, IsOneSentenceThatNamesTheKey)
{
    const std::string problem = problemOfRun(GetParam().text);
    EXPECT_NE(problem.find(std::string("\"") + GetParam().key), std::string::npos) << problem;
    EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
    EXPECT_LT(problem.size(), 700u);
}

INSTANTIATE_TEST_SUITE_P(Settings, BadRun,
    testing::Values(BadSetting{"bacth: 8", "bacth"}, BadSetting{"batch: many", "batch"},
        BadSetting{"batch: 0", "batch"}, BadSetting{"batch: -1", "batch"}, BadSetting{"batch: 1.5", "batch"},
        BadSetting{"batch: 1e30", "batch"}, BadSetting{"batch: 1e400", "batch"},
        BadSetting{"batch: NaN", "batch"}, BadSetting{"batch: .inf", "batch"},
        BadSetting{"batch: 9223372036854775808", "batch"}, BadSetting{"batch: [8]", "batch.0"},
        BadSetting{"batch: {}", "batch"}, BadSetting{"batch: 8\nbatch: 9", "batch"},
        BadSetting{"layers: 9223372036854775808", "layers"}, BadSetting{"dtype: fp7", "dtype"},
        BadSetting{"optimizer: adamz", "optimizer"}, BadSetting{"trainable_share: 1.5", "trainable_share"},
        BadSetting{"trainable_share: nan", "trainable_share"},
        BadSetting{"trainable_share: 0", "trainable_share"},
        BadSetting{"master_weights: 2", "master_weights"}, BadSetting{"checkpointing: half", "checkpointing"},
        BadSetting{"attention: fast", "attention"}, BadSetting{"copies: []", "copies"},
        BadSetting{"copies: {role: policy}", "copies.role"},
        BadSetting{"copies: [{rule: policy}]", "copies.0.rule"},
        BadSetting{"copies: [{role: king}]", "copies.0.role"},
        BadSetting{"copies.7.role: policy", "copies.7"},
        BadSetting{"copies.99999999999999999999.role: policy", "copies.9"},
        BadSetting{"sharding: zero2", "sharding"}, BadSetting{"sharding: {kind: zero9}", "sharding.kind"},
        BadSetting{"sharding: {kind: ddp, world: 0}", "sharding.world"},
        BadSetting{"stated: {logits: much}", "stated.logits"},
        BadSetting{"stated: {nothing: 1 GB}", "stated.nothing"},
        BadSetting{"trainable_share: 0.5\nlora_rank: 8", "trainable_share"},
        BadSetting{"\"\\e[31m\": 1", ""}));

TEST(RunShapes, WithoutSettingsAreRefused)
{
    EXPECT_FALSE(problemOfRun("{}").empty());
    EXPECT_FALSE(problemOfRun("").empty());
    EXPECT_FALSE(problemOfRun("[1, 2]").empty());
    EXPECT_FALSE(problemOfRun("just words").empty());
}

TEST(RunShapes, ShowLongValuesCut)
{
    EXPECT_LT(problemOfRun("batch: " + std::string(100'000, 'x')).size(), 200u);
}

TEST(StatedFigures, HaveUnitsAndRanges)
{
    const auto plain = statedFigureFromText("0.64 GB");
    ASSERT_TRUE(plain);
    EXPECT_DOUBLE_EQ(plain->low, 0.64);
    EXPECT_EQ(plain->decimals, 2);
    EXPECT_EQ(plain->power, 3);
    EXPECT_FALSE(plain->isBinary);
    for (const char* range : {"2-3 GiB", "2–3 GiB", "2 - 3GiB"}) {
        const auto figure = statedFigureFromText(range);
        ASSERT_TRUE(figure) << range;
        EXPECT_DOUBLE_EQ(figure->low, 2);
        EXPECT_DOUBLE_EQ(figure->high, 3);
        EXPECT_TRUE(figure->isBinary);
    }
    EXPECT_EQ(statedFigureFromText("637674720")->power, 0);
}

TEST(StatedFigures, ThatAreNoneAreRefused)
{
    for (const char* text : {"", "GB", "-1 GB", "1 2 GB", "3-2 GB", "1e9 GB", "1 XB", "nan GB", "1.2.3 GB",
             "99999999999999999999999 GB"})
        EXPECT_FALSE(statedFigureFromText(text)) << text;
}

} // namespace highwater
