#include <fmt/format.h>

#include "core/analysis/detectors/tensors/vocabulary_claims.h"
#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

constexpr Bytes kVocabulary = 50257;
constexpr Bytes kHiddenSize = 256;
constexpr Bytes kLogits = Bytes{1392} * kVocabulary * 2;

const char* const kLookup
    = "stack lookup = /site-packages/torch/nn/functional.py:3 embedding | train.py:3 main\n";

/// Allocates the result of the embedding lookup, which comes before everything else.
std::string lookedUp(Bytes bytes)
{
    return fmt::format("alloc tokens {} @lookup\n", bytes);
}

/// Returns a model whose embedding has GPT-2's vocabulary, followed by the allocations in `forward`.
std::string withModel(const std::string& forward)
{
    std::string text = R"(
stack load = /site-packages/torch/nn/modules/module.py:9 to | train.py:2 main
stack head = model.py:9 forward
stack loss = /site-packages/torch/nn/functional.py:7 cross_entropy | train.py:4 main
stack zero = /site-packages/torch/optim/optimizer.py:9 zero_grad
)";
    text += fmt::format("alloc embedding {} @load\n", kVocabulary * kHiddenSize * 2);
    for (int norm = 0; norm < 4; ++norm)
        text += fmt::format("alloc norm{} {} @load\n", norm, kHiddenSize * 2);
    return kLookup + text + lookedUp(1392 * kHiddenSize * 2) + forward + "end\n";
}

std::vector<Finding> logitsIn(const std::string& forward)
{
    const test::DetectorCase tiny(withModel(forward));
    return findOversizedLogits(tiny.input);
}

constexpr Bytes kRow = 512;

/// Returns a character model with 67 characters and 1,024 positions; the positions are its largest parameter.
std::string withCharacters(const std::string& forward)
{
    std::string text = R"(
stack load = /site-packages/torch/nn/modules/module.py:9 to | train.py:2 main
stack layer = model.py:9 forward | train.py:4 policy_log_probs
stack loss = /site-packages/torch/nn/functional.py:7 cross_entropy | train.py:5 main
)";
    text += fmt::format("alloc positions {} @load\nalloc embedding {} @load\n", 1024 * kRow, 67 * kRow);
    for (int norm = 0; norm < 4; ++norm)
        text += fmt::format("alloc norm{} {} @load\n", norm, kRow);
    return kLookup + text + lookedUp(8192 * kRow) + forward + "end\n";
}

/// Returns four steps, each a forward over six stacks of three blocks, of which the first `keep` blocks are
/// kept. Optionally adds a loss, which backward frees.
std::string stepsThatKeep(int keep, Bytes lossBytes = 0)
{
    std::string text;
    for (int line = 0; line < 6; ++line)
        text += fmt::format("stack layer{0} = model.py:{0} forward | train.py:1 main\n", line);
    for (int step = 0; step < 4; ++step) {
        const int begin = 100 * step + 100;
        text += fmt::format("annotation ProfilerStep#{} {} {}\nannotation forward {} {}\n", step, begin,
            begin + 99, begin + 1, begin + 49);
        text += fmt::format("annotation backward {} {}\n", begin + 50, begin + 90);
        for (int block = 0; block < 18; ++block)
            text += fmt::format(
                "alloc s{0}b{1} 100 @layer{2} t={3}\n", step, block, block % 6, begin + 2 + block);
        if (lossBytes > 0)
            text += fmt::format("alloc s{0}loss {1} @layer0 t={2}\nfree s{0}loss t={3}\n", step, lossBytes,
                begin + 30, begin + 50);
        for (int block = keep; block < 18; ++block)
            text += fmt::format("free s{}b{} t={}\n", step, block, begin + 51 + block);
        text += fmt::format("alloc s{0}g 10 t={1}\nfree s{0}g t={1}\n", step, begin + 80);
    }
    return text + "end\n";
}

std::vector<Finding> graphIn(const std::string& text)
{
    const test::DetectorCase tiny(text);
    return findRetainedGraph(tiny.input);
}

} // namespace

TEST(VocabularyClaims, FindTheEmbeddingsRows)
{
    const test::DetectorCase tiny(withModel(""));
    const auto claims = vocabularyClaims(tiny.input);
    ASSERT_FALSE(claims.empty());
    EXPECT_EQ(claims[0].size, kVocabulary);
    EXPECT_EQ(claims[0].source, VocabularySource::Embedding);
}

TEST(VocabularyClaims, FindTheEmbeddingByTheBiasOfTheHeadWhereThereIsNoNorm)
{
    const std::string weight = fmt::format("alloc embedding {} @load\n", kVocabulary * kHiddenSize * 4);
    const std::string load
        = "stack load = /site-packages/torch/nn/modules/module.py:9 to | train.py:2 main\n";
    const std::string bias = fmt::format("alloc bias {} @load\n", kVocabulary * 4);
    const std::string lookup = kLookup + lookedUp(1024);
    const test::DetectorCase with(load + lookup + weight + bias + "end\n");
    ASSERT_FALSE(vocabularyClaims(with.input).empty());
    EXPECT_EQ(vocabularyClaims(with.input)[0].size, kVocabulary);
    const test::DetectorCase without(load + lookup + weight + "end\n");
    EXPECT_TRUE(vocabularyClaims(without.input).empty());
}

TEST(VocabularyClaims, AreNoneWhereNoCodeLooksTokensUp)
{
    // A convolution of 32,768 × 512 B next to norms of 512 B, as in many image models.
    const test::DetectorCase tiny(
        "stack load = /site-packages/torch/nn/modules/module.py:9 to | train.py:2 main\n"
        "alloc kernel 16777216 @load\nalloc n0 512 @load\nalloc n1 512 @load\n"
        "alloc n2 512 @load\nalloc n3 512 @load\nend\n");
    EXPECT_TRUE(vocabularyClaims(tiny.input).empty());
}

TEST(VocabularyClaims, BelieveTheSettings)
{
    test::DetectorCase tiny(withModel(""));
    tiny.input.settings = {{"vocab_size", "50000", "json", 0}};
    const auto claims = vocabularyClaims(tiny.input);
    ASSERT_EQ(claims.size(), 2u) << "64 and 128 give the same";
    EXPECT_EQ(claims[0].size, 50000);
    EXPECT_EQ(claims[1].size, 50048) << "padded to 64";
}

TEST(VocabularyClaims, AreDistinctiveByTheirOddPart)
{
    EXPECT_TRUE((VocabularyClaim{50257, {}, {}}).isDistinctive());
    EXPECT_TRUE((VocabularyClaim{32000, {}, {}}).isDistinctive());
    EXPECT_FALSE((VocabularyClaim{262144, {}, {}}).isDistinctive());
}

TEST(VocabularyClaims, MayBeOfCharactersWhereTheSettingsSaySo)
{
    test::DetectorCase tiny(withModel(""));
    tiny.input.settings = {{"vocab_size", "67", "json", 0}};
    const auto claims = vocabularyClaims(tiny.input);
    ASSERT_EQ(claims.size(), 1u) << "nobody pads so few";
    EXPECT_EQ(claims[0].size, 67);
}

TEST(VocabularyClaims, MayBeAParameterOfFewOddRows)
{
    const test::DetectorCase tiny(withCharacters(""));
    const auto claims = vocabularyClaims(tiny.input);
    const auto found = std::ranges::find(claims, 67, &VocabularyClaim::size);
    ASSERT_NE(found, claims.end());
    EXPECT_EQ(found->source, VocabularySource::Factorised);
    EXPECT_EQ(found->reason, "a parameter has 67 rows of 512 B");
}

TEST(OversizedLogits, AreNoActivationsOfAModuleThatIsCalledForLogProbabilities)
{
    const test::DetectorCase tiny(withCharacters("alloc a 4194304 @layer\n"));
    EXPECT_TRUE(findOversizedLogits(tiny.input).empty()) << "1,024 positions are no vocabulary";
}

TEST(OversizedLogits, AreOfTheVocabularyThatFewSizesFit)
{
    // 8 × 1,024 × 67 × 4 bytes, which is also a multiple of 1,024.
    const test::DetectorCase tiny(withCharacters("alloc a 2195456 @loss\n"));
    const auto found = findOversizedLogits(tiny.input);
    EXPECT_EQ(test::bytesOfOnly(found), 2'195'456);
    EXPECT_TRUE(test::hasParts(found[0].title, {"vocabulary 67"}));
}

TEST(OversizedLogits, HaveAsManyPositionsAsTokensWereLookedUp)
{
    // 3,072 tokens. The largest parameter is the experts', with 12,288 rows; the vocabulary has 8,192.
    std::string text = kLookup;
    text += "stack load = /site-packages/torch/nn/modules/module.py:9 to | train.py:2 main\n"
            "stack loss = /site-packages/torch/nn/functional.py:7 cross_entropy | train.py:5 main\n"
            "alloc experts 6291456 @load\nalloc table 4194304 @load\n";
    for (int norm = 0; norm < 4; ++norm)
        text += fmt::format("alloc norm{} 512 @load\n", norm);
    text += lookedUp(3072 * 512) + "alloc logits 100663296 @loss\nend\n";
    const test::DetectorCase tiny(text);
    const auto found = findOversizedLogits(tiny.input);
    ASSERT_EQ(test::bytesOfOnly(found), 100'663'296);
    EXPECT_TRUE(test::hasParts(found[0].title, {"vocabulary 8,192"}));
}

TEST(OversizedLogits, AreToldByLogProbabilitiesThatLackThePositionOfTheShift)
{
    // The head's output has 8 × 1,024 × 67 × 4 bytes and no name; its log-softmax is one token shorter.
    const test::DetectorCase tiny(
        withCharacters("stack head = /site-packages/torch/nn/modules/linear.py:1 forward "
                       "| model.py:50 forward | train.py:5 main\n"
                       "alloc a 2195456 @head\nalloc b 2195456 @head\n"
                       "alloc p 2193312 @loss\nfree p @loss\nalloc c 2195456 @head\n"));
    EXPECT_EQ(test::bytesOfOnly(findOversizedLogits(tiny.input)), 3 * 2'195'456);
}

TEST(OversizedLogits, CountCopiesAliveTogether)
{
    const auto found = logitsIn(fmt::format("alloc a {0} @head\nalloc b {1} @loss\n", kLogits, 2 * kLogits));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].bytes, 3 * kLogits);
    EXPECT_EQ(found[0].grade, Grade::B);
    EXPECT_EQ(found[0].remedy.savedBytes, 3 * kLogits);
}

TEST(OversizedLogits, AreSilentBelowATenthOfThePeak)
{
    EXPECT_TRUE(
        logitsIn(fmt::format("alloc a {} @loss\nalloc b {} @head\n", kLogits, 10 * kLogits + 2)).empty());
}

TEST(OversizedLogits, AreNoSizeThatMissesByOneElement)
{
    EXPECT_TRUE(logitsIn(fmt::format("alloc a {} @loss\n", kLogits + 2)).empty());
}

TEST(RetainedGraph, IsFoundWhereAWholeForwardIsKept)
{
    const auto found = graphIn(stepsThatKeep(18));
    EXPECT_EQ(test::bytesOfOnly(found), 3 * 18 * 100);
    EXPECT_EQ(found[0].grade, Grade::B);
}

TEST(RetainedGraph, IsNotThereWhereBackwardFreesIt)
{
    EXPECT_TRUE(graphIn(stepsThatKeep(0)).empty());
}

TEST(RetainedGraph, IsWholeWithoutALossThatIsLargerThanAllLayers)
{
    EXPECT_EQ(test::bytesOfOnly(graphIn(stepsThatKeep(18, 100'000))), 3 * 18 * 100);
}

TEST(RetainedGraph, IsMoreThanSomeOutputs)
{
    EXPECT_TRUE(graphIn(stepsThatKeep(6)).empty());
}

} // namespace highwater
