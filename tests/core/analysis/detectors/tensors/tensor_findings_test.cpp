// Tests of avoidable tensors: attention matrices, padding, wide copies.
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

using test::bytesOfOnly;
using test::DetectorCase;

/// Two heads and two sequences of 128 tokens: matrices of 262,144 bytes in fp32, and the sums of their rows.
std::string attention(const char* inner, const char* outer)
{
    return std::string("stack softmax = nn.py:5 ") + inner + " | model.py:30 " + outer
        + "\nstack scores = model.py:29 " + outer + R"(
alloc scores 262144 @scores
alloc rows 2048 @softmax
alloc nothing 0 @softmax
alloc exp 262144 @softmax
free rows @softmax
alloc other 262144
)";
}

std::vector<Finding> attentionIn(const std::string& text, std::vector<ConfigurationEntry> settings = {})
{
    DetectorCase tiny(text);
    tiny.input.settings = std::move(settings);
    return findAttentionMaterialised(tiny.input);
}

/// Embedding of 50,257 × 64 in 16 bits, a table of 256 positions, two norms; then four hidden states of 4 ×
/// `hidden` tokens and logits of 4 × `logits`.
std::string padded(int hidden, int logits, int pieces = 1)
{
    std::string text = R"(
stack load = /site-packages/torch/nn/modules/module.py:1 convert
stack train = train.py:3 forward
stack lookup = /site-packages/torch/nn/functional.py:5 embedding | train.py:2 forward
stack step = /site-packages/torch/optim/adamw.py:9 step
)";
    text += "alloc wte " + std::to_string(50'257 * 128) + " @load t=1\nalloc wpe " + std::to_string(256 * 128)
        + " @load t=2\nalloc n1 128 @load t=3\nalloc n2 128 @load t=4\n"
          "alloc ids 128 @lookup t=5\nfree ids @lookup t=6\n";
    for (int i = 0; i < 4; ++i)
        text += "alloc h" + std::to_string(i) + " " + std::to_string(4 * hidden * 128) + " @train t=1"
            + std::to_string(i) + "\n";
    for (int i = 0; i < pieces; ++i)
        text += "alloc logits " + std::to_string(Bytes{4} * logits * 50'257 * 2)
            + " @train t=15\nfree logits @train t=16\n";
    for (int i = 0; i < 4; ++i)
        text += "free h" + std::to_string(i) + " @train t=2" + std::to_string(i) + "\n";
    return text + "alloc m 128 @step t=30\nfree m @step t=31\nend\n";
}

std::vector<Finding> paddedIn(const std::string& text, std::vector<ConfigurationEntry> settings = {})
{
    DetectorCase tiny(text);
    tiny.input.settings = std::move(settings);
    return findPaddedToMaximum(tiny.input);
}

std::vector<Finding> upcastsIn(const std::string& events)
{
    const DetectorCase tiny("stack cast = loss.py:3 float\nstack plain = model.py:4 forward\n" + events);
    return findPrecisionUpcast(tiny.input);
}

} // namespace

TEST(AttentionMaterialised, CountsMatricesFromAttentionAlone)
{
    const auto found = attentionIn(attention("softmax", "self_attention"));
    ASSERT_EQ(bytesOfOnly(found), 2 * 262'144);
    EXPECT_EQ(found[0].grade, Grade::B);
    EXPECT_TRUE(test::hasParts(found[0].title, {"2 tensors of attention matrices", "128²"}));
}

TEST(AttentionMaterialised, IsCertainWhereTheSettingsFit)
{
    const auto found = attentionIn(
        attention("softmax", "self_attention"), {{"n_head", "2", "json", 0}, {"seq_len", "128", "json", 0}});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].grade, Grade::A);
}

TEST(AttentionMaterialised, NamesWhatBackwardMayHaveMadeWithoutCountingIt)
{
    const auto found
        = attentionIn(attention("softmax", "self_attention") + "stack none =\nalloc g 262144 @none\n");
    ASSERT_EQ(bytesOfOnly(found), 2 * 262'144);
    // Includes the other block without a stack: where no stack was recorded, there are no Python frames.
    const Evidence& unnamed = found[0].evidence.at(1);
    EXPECT_EQ(std::get<AllocationsTarget>(unnamed.target).allocations.size(), 2u);
    EXPECT_TRUE(test::hasParts(unnamed.sentence, {"leaves out", "512 KiB"}));
}

TEST(AttentionMaterialised, IsNotTheSoftmaxOfALoss)
{
    EXPECT_TRUE(attentionIn(attention("log_softmax", "self_attention")).empty());
    EXPECT_TRUE(attentionIn(attention("softmax", "router")).empty());
}

TEST(AttentionMaterialised, NamesTheSizeThatTakesMostFirst)
{
    const auto found = attentionIn(attention("softmax", "self_attention")
        + "alloc scores2 65536 @scores\nalloc rows2 1024 @softmax\nalloc exp2 65536 @softmax\n"
          "free rows2 @softmax\n");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].evidence.at(0).sentence, {"2 blocks of 256 KiB (512 KiB)"}));
    EXPECT_TRUE(test::hasParts(found[0].evidence.at(1).sentence, {"2 blocks of 64 KiB (128 KiB)"}));
}

TEST(AttentionMaterialised, TellsTheLengthOfARealRun)
{
    const auto path = test::realFilePath("snapshots/transformer-fullstep.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto imported = openTrace(*path, {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findAttentionMaterialised(DetectorInput(study));
    // 36 layers, scores and softmax; 4 sequences of 256 tokens, 20 heads, fp32.
    ASSERT_EQ(bytesOfOnly(found), Bytes{36} * 2 * 4 * 20 * 256 * 256 * 4);
    EXPECT_TRUE(test::hasParts(found[0].title, {"72 tensors of attention matrices", "256²"}));
}

TEST(PaddedToMaximum, IsTheDifferenceBetweenHiddenStatesAndLogits)
{
    const auto found = paddedIn(padded(256, 64));
    ASSERT_EQ(bytesOfOnly(found), 4 * (4 * 256 * 128) * 3 / 4);
    EXPECT_EQ(found[0].grade, Grade::C);
    EXPECT_EQ(found[0].remedy.savedBytes, 4 * (4 * 256 * 128) * 3 / 4);
}

TEST(PaddedToMaximum, IsSurerWhereTheSettingsGiveTheShorterLength)
{
    const auto found = paddedIn(padded(256, 64), {{"batch", "4", "yaml", 0}, {"seq_len", "64", "yaml", 0}});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].grade, Grade::B);
}

TEST(PaddedToMaximum, IsSilentWhereLogitsAreAsLong)
{
    EXPECT_TRUE(paddedIn(padded(256, 256)).empty());
    EXPECT_TRUE(paddedIn(padded(256, 200)).empty());
    EXPECT_TRUE(paddedIn(padded(64, 64)).empty());
}

TEST(PaddedToMaximum, IsSilentWhereTheLossComesInChunks)
{
    EXPECT_TRUE(paddedIn(padded(256, 64, 4)).empty());
    EXPECT_EQ(paddedIn(padded(256, 64, 2)).size(), 1u);
}

TEST(AutocastCopies, AreWhatItsLoweringCastsMake)
{
    const char* const text = R"(
stack down = a.cpp:0 at::_ops::_to_copy::call | a.cpp:0 at::autocast::WrapFunction_<(at::autocast::CastPolicy)0,
stack up = a.cpp:0 at::_ops::_to_copy::call | a.cpp:0 at::autocast::WrapFunction_<(at::autocast::CastPolicy)1,
stack product = a.cpp:0 at::_ops::mm::call | a.cpp:0 at::autocast::WrapFunction_<(at::autocast::CastPolicy)0,
alloc a 100 @down
alloc b 30 @up
alloc c 70 @product
)";
    const DetectorCase tiny(text);
    const auto found = findAutocastCopies(tiny.input);
    ASSERT_EQ(bytesOfOnly(found), 100);
    EXPECT_EQ(found[0].remedy.savedBytes, 100);
    EXPECT_EQ(found[0].kind, FindingKind::Fact);
}

TEST(AutocastCopies, AreOfWeightsInARealRun)
{
    const auto path = test::realFilePath("snapshots/transformer-forward-mixed.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto imported = openTrace(*path, {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findAutocastCopies(DetectorInput(study));
    ASSERT_EQ(found.size(), 1u);
    // 48 layers of three matrices of 1600 × 6400 and four of 1600 × 1600, in 16 bits.
    EXPECT_TRUE(test::hasParts(
        found[0].evidence.at(1).sentence, {"144 blocks of 20,480,000 B", "copies of weights"}));
    EXPECT_TRUE(
        test::hasParts(found[0].evidence.at(2).sentence, {"192 blocks of 5,120,000 B", "copies of weights"}));
}

TEST(PrecisionUpcast, IsACastBesideAnOlderBlockOfHalfTheSize)
{
    const auto found = upcastsIn("alloc a 2MiB @plain\nalloc b 4MiB @cast\n");
    ASSERT_EQ(bytesOfOnly(found), 4 * kMiB);
    EXPECT_EQ(found[0].remedy.savedBytes, 4 * kMiB);
}

TEST(PrecisionUpcast, TakesEachNarrowBlockOnce)
{
    EXPECT_EQ(
        bytesOfOnly(upcastsIn("alloc a 2MiB @plain\nalloc b 4MiB @cast\nalloc c 4MiB @cast\n")), 4 * kMiB);
}

TEST(PrecisionUpcast, IsNotACastThatMayGoDown)
{
    EXPECT_TRUE(upcastsIn("alloc w 8MiB @plain\nalloc a 2MiB @plain\nalloc b 4MiB @cast\n").empty());
}

TEST(PrecisionUpcast, NeedsTheNarrowBlockAliveAndOlder)
{
    EXPECT_TRUE(upcastsIn("alloc a 2MiB @plain\nalloc b 4MiB @cast\nfree a\nalloc c 3MiB\n").empty());
    EXPECT_TRUE(upcastsIn("alloc b 4MiB @cast\nalloc a 2MiB @plain\n").empty());
}

} // namespace highwater
