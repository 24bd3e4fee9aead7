#include <gtest/gtest.h>

#include <map>

#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Returns "name" → "value (origin)".
std::map<std::string, std::string> settingsOf(const std::string& text)
{
    std::map<std::string, std::string> settings;
    const auto imported = test::importBytes(text);
    EXPECT_TRUE(imported);
    if (imported)
        for (const ConfigurationEntry& entry : imported->trace->metadata.configuration)
            settings[entry.name] = entry.value + " (" + entry.origin + ")";
    return settings;
}

using Settings = std::map<std::string, std::string>;

} // namespace

TEST(ConfigurationLines, TakeCommandLinesApart)
{
    EXPECT_EQ(settingsOf("+ torchrun --nproc_per_node=8 --tee 3 -m train.main --flag --lr -1e-3 "
                         "trainer.steps=10 '+x.y=a b'\n"),
        (Settings{{"nproc_per_node", "8 (command line)"}, {"tee", "3 (command line)"},
            {"module", "train.main (command line)"}, {"flag", "true (command line)"},
            {"lr", "-1e-3 (command line)"}, {"trainer.steps", "10 (command line)"},
            {"+x.y", "a b (command line)"}}));
}

TEST(ConfigurationLines, TakeTheEnvironmentButNoAdvice)
{
    EXPECT_EQ(
        settingsOf(
            "+ export PYTORCH_CUDA_ALLOC_CONF='max_split_size_mb:128'\n"
            "large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n"),
        (Settings{{"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128 (environment)"}}));
}

TEST(ConfigurationLines, WithholdSecrets)
{
    EXPECT_EQ(settingsOf("+ export WANDB_API_KEY=0123456789\n"),
        (Settings{{"WANDB_API_KEY", "(withheld) (environment)"}}));
}

TEST(ConfigurationLines, CountTheLinesOfListsInABlock)
{
    const auto imported = test::importBytes("_target_: a.Config\nbetas:\n- 0.9\n- 0.99\nlr: 0.1\n");
    ASSERT_TRUE(imported);
    const std::vector<ConfigurationEntry>& entries = imported->trace->metadata.configuration;
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[1].name, "lr");
    EXPECT_EQ(entries[1].line, 5);
}

TEST(ConfigurationLines, FlattenBlocks)
{
    EXPECT_EQ(settingsOf("_target_: a.Config\noptimizer:\n  betas:\n  - 0.9\n  lr: 0.1\nseed: 7\nnot yaml\n"),
        (Settings{{"_target_", "a.Config (yaml)"}, {"optimizer.lr", "0.1 (yaml)"}, {"seed", "7 (yaml)"}}));
    EXPECT_EQ(
        settingsOf(
            "Model config LlamaConfig {\n  \"hidden_size\": 64,\n  \"rope\": {\"theta\": 1e4}\n}\nend\n"),
        (Settings{{"hidden_size", "64 (json)"}, {"rope.theta", "1e4 (json)"}}));
}

TEST(ConfigurationLines, ReadTablesOfArguments)
{
    EXPECT_EQ(
        settingsOf(
            "  adam_beta1 ...................................... 0.9\nNamespace(lr=0.1, name='a, b')\n"),
        (Settings{
            {"adam_beta1", "0.9 (arguments)"}, {"lr", "0.1 (arguments)"}, {"name", "a, b (arguments)"}}));
}

TEST(ConfigurationLines, OfTheReferenceCaseR5TellTheAllocatorsSettings)
{
    const Settings settings = settingsOf(test::readWholeFile(test::samplePath("logs/r5-flan-t5-xl.log")));
    EXPECT_EQ(settings.at("PYTORCH_CUDA_ALLOC_CONF"),
        "expandable_segments:True,max_split_size_mb:128,roundup_power2_divisions:16,garbage_collection_"
        "threshold:0.7 "
        "(environment)");
    EXPECT_EQ(settings.at("batch-size"), "8 (command line)");
}

} // namespace highwater
