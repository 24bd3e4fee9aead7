// Compares activations and logits with published figures.
#include <gtest/gtest.h>

#include "tests/support/run_document.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::budgetOf;
using test::gib;
using test::LineName;
using test::lineOf;

namespace {

/// Returns the activations of a GPT-2-like model with 4,096 columns, 32 heads, 32 layers.
double classicGib(std::int64_t tokens, const std::string& settings)
{
    return gib(lineOf(budgetOf("hidden: 4096\nheads: 32\nlayers: 32\nbatch: 1\ndtype: bf16\nparameters: 1\n"
                               "seq_len: "
                          + std::to_string(tokens) + "\n" + settings),
        LineName::Activations));
}

Bytes logitsOf(const std::string& settings)
{
    return lineOf(budgetOf("parameters: 1\ndtype: bf16\n" + settings), LineName::Logits);
}

std::string llama()
{
    return test::readWholeFile(test::samplePath("budget/models/llama-3-8b.json"));
}

} // namespace

struct Published
{
    std::int64_t tokens;
    double gib;
};

class ClassicActivations : public testing::TestWithParam<Published>
{
};

TEST_P(ClassicActivations, AreThoseOfTheUltraScalePlaybook)
{
    EXPECT_NEAR(classicGib(GetParam().tokens, "attention: eager"), GetParam().gib, GetParam().gib * 0.001);
}

INSTANTIATE_TEST_SUITE_P(Plot, ClassicActivations,
    testing::Values(Published{1024, 9.25}, Published{2048, 28.51}, Published{4096, 97.02},
        Published{8192, 354.03}, Published{16384, 1348}));

TEST(Activations, FallWithFlashAttentionAndWithCheckpointing)
{
    EXPECT_NEAR(classicGib(4096, "attention: flash"), 17, 0.05);
    EXPECT_NEAR(classicGib(4096, "attention: eager\ncheckpointing: selective"), 17, 0.05);
    const double layer = classicGib(4096, "attention: flash") / 32;
    EXPECT_NEAR(classicGib(4096, "attention: flash\ncheckpointing: true"), 1 + layer, 1e-6);
}

TEST(Activations, OfLlamaAreItsBytesForEachTokenAndLayer)
{
    const Budget budget = budgetOf("batch: 1\nseq_len: 1\nattention: flash\n", llama());
    EXPECT_EQ(lineOf(budget, LineName::Activations), 32 * 200'832);
    EXPECT_EQ(budget.find(LineName::Activations)->high(), 32 * 200'832 * 13 / 10 + 1); // rounded up
    EXPECT_EQ(lineOf(budget, LineName::Activations), 32 * (168'064 + 2 * 4 * 4096)) << "two RMSNorms";
    EXPECT_NEAR(gib(lineOf(budget, LineName::Activations)) * 4096, 24.5, 0.05);
}

TEST(Activations, AreWiderWhereTheAttentionIsNotGiven)
{
    const Budget open = budgetOf("batch: 1\nseq_len: 4096\n", llama());
    const Budget flash = budgetOf("batch: 1\nseq_len: 4096\nattention: flash\n", llama());
    EXPECT_EQ(lineOf(open, LineName::Activations), lineOf(flash, LineName::Activations));
    EXPECT_GT(open.find(LineName::Activations)->high(), 2 * flash.find(LineName::Activations)->high());
}

TEST(Activations, AreNoneWhereNothingIsTrained)
{
    const Budget budget
        = budgetOf("batch: 1\nseq_len: 8\ncopies: [{role: policy, trainable: false}]\n", llama());
    EXPECT_EQ(lineOf(budget, LineName::Activations), -1);
    EXPECT_FALSE(budget.assumptions.empty());
}

TEST(Logits, AreOneTensorOfTheBatch)
{
    EXPECT_EQ(logitsOf("batch: 8\nseq_len: 174\nvocab: 50257\nlogits_copies: 1"), 139'915'488);
    EXPECT_EQ(logitsOf("batch: 1\ngroup: 8\nseq_len: 174\nvocab: 50257\nlogits_copies: 1"), 139'915'488);
    EXPECT_EQ(logitsOf("batch: 8\nseq_len: 174\nvocab: 50257\nlogits_copies: 3\nlogits_dtype: fp32"),
        6 * 139'915'488ll);
}

TEST(Activations, KeepWhatEachKernelOfGeluNewReturns)
{
    const std::string run = "hidden: 64\nheads: 4\nlayers: 1\nbatch: 1\nseq_len: 1\ndtype: fp32\n"
                            "parameters: 1\nattention: flash\n";
    const Bytes fused = lineOf(budgetOf(run + "activation_function: gelu\n"), LineName::Activations);
    const Bytes unfused = lineOf(budgetOf(run + "activation_function: gelu_new\n"), LineName::Activations);
    EXPECT_EQ(unfused - fused, 3 * 4 * 4 * 64);
}

TEST(Activations, HaveNormsInSinglePrecisionUnderAutocast)
{
    const std::string run = "hidden: 64\nheads: 4\nlayers: 1\nbatch: 1\nseq_len: 1\nparameters: 1\n"
                            "attention: flash\n";
    EXPECT_EQ(lineOf(budgetOf(run + "dtype: fp32\nactivations_dtype: bf16\n"), LineName::Activations),
        lineOf(budgetOf(run + "dtype: bf16\n"), LineName::Activations) + 2 * 2 * 64);
}

TEST(Activations, KeepScoresInSinglePrecisionWhereAGpuHasNoKernelForThem)
{
    const std::string run = "hidden: 64\nheads: 4\nlayers: 1\nbatch: 1\nseq_len: 100\nparameters: 1\n";
    const auto activations = [&](const std::string& settings) {
        return lineOf(budgetOf(run + settings), LineName::Activations);
    };
    EXPECT_EQ(activations("dtype: bf16\ngpu: T4\n"), activations("dtype: bf16\nattention: math\n"));
    EXPECT_EQ(activations("dtype: bf16\ngpu: L4\n"), activations("dtype: bf16\nattention: flash\n"));
    EXPECT_EQ(activations("dtype: fp16\ngpu: T4\n"), activations("dtype: fp16\nattention: flash\n"));
    EXPECT_EQ(activations("dtype: fp32\nattention: math\n") - activations("dtype: fp32\nattention: flash\n"),
        100 * (9 * 4 * 100 - 4 * 4));
}

TEST(Logits, CountWithWhatTheBackwardOfTheLossHasOfThem)
{
    const std::string batch = "batch: 8\nseq_len: 174\nvocab: 50257\n";
    const Bytes elements = 139'915'488 / 2;
    EXPECT_EQ(logitsOf(batch), elements * (2 + 3 * 4)) << "logits, and three tensors of the loss in fp32";
    EXPECT_EQ(logitsOf(batch + "logits_dtype: bf16"), elements * 4 * 2) << "a loss in the type of the logits";
    EXPECT_EQ(logitsOf(batch + "logits_dtype: fp32"), elements * 4 * 4);
    EXPECT_EQ(logitsOf(batch + "copies: [{role: policy, trainable: false}]"), 139'915'488);
}

TEST(Logits, AreThoseThatPeopleMeasured)
{
    // TRL 3678: 310 MB. Unsloth: 78.3 "GB" (in fact GiB) for 20 k tokens and 8 generations. TRL 4585: 5.8 GiB
    // in bf16 and 11.6 in fp32. verl's guide: 7 bytes per element, 32.5 GiB.
    EXPECT_NEAR(static_cast<double>(
                    logitsOf("batch: 2\nseq_len: 256\nvocab: 151665\nlogits_dtype: fp32\nlogits_copies: 1")),
        310e6, 1e6);
    EXPECT_NEAR(
        gib(logitsOf("batch: 8\nseq_len: 20480\nvocab: 128256\nlogits_dtype: fp32\nlogits_copies: 1")), 78.28,
        0.005);
    EXPECT_NEAR(gib(logitsOf("batch: 8\nseq_len: 20480\nvocab: 128256\nlogits_copies: 2")), 78.28, 0.005);
    EXPECT_NEAR(gib(logitsOf("batch: 1\nseq_len: 20480\nvocab: 151936\nlogits_copies: 1")), 5.8, 0.05);
    EXPECT_NEAR(
        gib(logitsOf("batch: 1\nseq_len: 20480\nvocab: 151936\nlogits_dtype: fp32\nlogits_copies: 1")), 11.6,
        0.05);
    EXPECT_NEAR(gib(logitsOf("batch: 8\nseq_len: 4096\nvocab: 151936\nlogits_dtype: int8\nlogits_copies: 7")),
        32.5, 0.05);
}

struct VocabularyRow
{
    std::int64_t vocab;
    double mib; ///< for 1,024 tokens in bf16
};

class Vocabularies : public testing::TestWithParam<VocabularyRow>
{
};

TEST_P(Vocabularies, HaveTheirLogitsForEachThousandTokens)
{
    const Bytes bytes = logitsOf(
        "batch: 1\nseq_len: 1024\nvocab: " + std::to_string(GetParam().vocab) + "\nlogits_copies: 1");
    EXPECT_NEAR(static_cast<double>(bytes) / static_cast<double>(kMiB), GetParam().mib, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Table, Vocabularies,
    testing::Values(VocabularyRow{32000, 62.5}, VocabularyRow{128256, 250.5}, VocabularyRow{151936, 296.75},
        VocabularyRow{201088, 392.75}, VocabularyRow{262144, 512}));

TEST(KeyValueCache, HoldsTheTokensOfAnEngine)
{
    const std::string engine = "copies: [{role: engine}]\n";
    EXPECT_EQ(lineOf(budgetOf(engine + "kv_cache_tokens: 1\n", llama()), LineName::KvCache), 128 * kKiB);
    EXPECT_EQ(lineOf(budgetOf(engine + "kv_cache_tokens: 1\n",
                         test::readWholeFile(test::samplePath("budget/models/qwen3-0.6b.json"))),
                  LineName::KvCache),
        112 * kKiB);
    EXPECT_EQ(
        lineOf(budgetOf("layers: 80\nheads: 64\nkv_heads: 8\nhead_dim: 128\ndtype: bf16\nkv_cache_tokens: 1"),
            LineName::KvCache),
        320 * kKiB);
    EXPECT_EQ(
        lineOf(budgetOf(engine + "batch: 1\nseq_len: 20480\n", llama()), LineName::KvCache), 5 * kGiB / 2);
    EXPECT_EQ(lineOf(budgetOf(engine + "batch: 8\nseq_len: 20480\n", llama()), LineName::KvCache), 20 * kGiB);
}

TEST(KeyValueCache, IsInTheHighFigureOfTrainingAlone)
{
    const Budget budget = budgetOf("batch: 2\nseq_len: 8\n", llama());
    EXPECT_EQ(lineOf(budget, LineName::KvCache), 0);
    EXPECT_EQ(budget.find(LineName::KvCache)->high(), 2 * 32 * 8 * 128 * 2 * 2 * 8);
    EXPECT_EQ(lineOf(budgetOf("batch: 2\nseq_len: 8\nuse_cache: false\n", llama()), LineName::KvCache), -1);
    EXPECT_EQ(lineOf(budgetOf("batch: 2\nseq_len: 8\ncheckpointing: true\n", llama()), LineName::KvCache), -1)
        << "recomputed layers keep no cache";
}

TEST(KeyValueCache, IsACopyInTrainingWhereQueriesShareTheTensorOfTheirKeys)
{
    const std::string run = "batch: 2\nseq_len: 8\ndtype: bf16\nuse_cache: true\n";
    const std::string gpt2 = test::readWholeFile(test::samplePath("budget/models/gpt2.json"));
    EXPECT_EQ(lineOf(budgetOf(run, gpt2), LineName::KvCache), 2 * 12 * 768 * 2 * 2 * 8);
    EXPECT_EQ(lineOf(budgetOf(run, llama()), LineName::KvCache), 0) << "activations include it";
}

} // namespace highwater
