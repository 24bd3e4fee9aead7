#include <fmt/format.h>

#include "core/analysis/detectors/vocabulary_claims.h"
#include "tests/core/analysis/detectors/detector_test_support.h"

namespace highwater {

namespace {

constexpr Bytes kVocabulary = 50257;
constexpr Bytes kHidden = 256;
constexpr Bytes kLogits = Bytes{1392} * kVocabulary * 2;

/// A model whose embedding has GPT-2's vocabulary, its gradients (which give it away), and what `forward`
/// makes.
std::string withModel(const std::string& forward)
{
    std::string text = R"(
stack load = /site-packages/torch/nn/modules/module.py:9 to | train.py:2 main
stack head = model.py:9 forward
stack loss = /site-packages/torch/nn/functional.py:7 cross_entropy | train.py:4 main
stack zero = /site-packages/torch/optim/optimizer.py:9 zero_grad
)";
    text += fmt::format("alloc embedding {} @load\n", kVocabulary * kHidden * 2);
    for (int norm = 0; norm < 4; ++norm)
        text += fmt::format("alloc norm{} {} @load\n", norm, kHidden * 2);
    return text + forward + "end\n";
}

std::vector<Finding> logitsIn(const std::string& forward)
{
    const test::DetectorCase tiny(withModel(forward));
    return findOversizedLogits(tiny.input);
}

/// Four steps: a forward over six stacks of three blocks; `keep` leaves the first so many of them behind.
std::string steps(int keep)
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
    const auto found = graphIn(steps(18));
    EXPECT_EQ(test::bytesOfOnly(found), 3 * 18 * 100);
    EXPECT_EQ(found[0].grade, Grade::B);
}

TEST(RetainedGraph, IsNotThereWhereBackwardFreesIt)
{
    EXPECT_TRUE(graphIn(steps(0)).empty());
}

TEST(RetainedGraph, IsMoreThanSomeOutputs)
{
    EXPECT_TRUE(graphIn(steps(6)).empty());
}

} // namespace highwater
