#include "core/analysis/tensor_shapes/tensor_shapes.h"

#include <random>

#include <gtest/gtest.h>

namespace highwater {

namespace {

KnownNumber given(Dimension dimension, std::int64_t value)
{
    return {dimension, value, NumberSource::Given, "given"};
}

KnownNumber inferred(Dimension dimension, std::int64_t value)
{
    return {dimension, value, NumberSource::Inferred, "inferred"};
}

/// Returns the numbers of a GPT-2 whose settings are all known.
KnownNumbers gpt2()
{
    KnownNumbers numbers;
    numbers.all = {given(Dimension::Batch, 8), given(Dimension::Sequence, 174), given(Dimension::Hidden, 768),
        given(Dimension::Heads, 12), given(Dimension::HeadSize, 64), given(Dimension::Intermediate, 3072),
        given(Dimension::Vocabulary, 50257)};
    numbers.parameterWidth = 2;
    numbers.hasHalf = true;
    numbers.fusedQueries = true;
    return numbers;
}

/// Returns numbers that were inferred from the sizes in a run of an fp32 model.
KnownNumbers inferredNumbers()
{
    KnownNumbers numbers;
    numbers.all = {inferred(Dimension::Hidden, 1280), inferred(Dimension::Intermediate, 5120),
        inferred(Dimension::Vocabulary, 10000), inferred(Dimension::Tokens, 1024)};
    numbers.parameterWidth = 4;
    numbers.scoreElements = 1024 * 20 * 256;
    return numbers;
}

ShapeQuestion activation(Bytes bytes, StackTopic topic = StackTopic::None)
{
    return {bytes, false, Category::Activation, topic, true, false};
}

std::string firstOf(const ShapeQuestion& question, const KnownNumbers& numbers)
{
    const std::vector<TensorShape> shapes = tensorShapes(question, numbers);
    return shapes.empty() ? "" : shapes.front().text() + " " + shapes.front().names();
}

/// Counts how many of 10,000 random sizes up to 128 MiB get a hint.
int falsePositives(const KnownNumbers& numbers, bool rounded, Category category)
{
    std::mt19937_64 random(7);
    int hints = 0;
    for (int i = 0; i < 10'000; ++i) {
        const Bytes unit = rounded ? 512 : 4;
        const Bytes bytes = static_cast<Bytes>(random() % (128 * kMiB / unit) + 1) * unit;
        hints += !tensorShapes({bytes, rounded, category, StackTopic::None, false, false}, numbers).empty();
    }
    return hints;
}

} // namespace

TEST(TensorShapes, AreMadeOfGivenNumbers)
{
    EXPECT_EQ(firstOf(activation(Bytes{8} * 174 * 768 * 2), gpt2()), "[8, 174, 768] 16-bit B · T · hidden");
    EXPECT_EQ(
        firstOf(activation(Bytes{8} * 174 * 3072 * 2), gpt2()), "[8, 174, 3072] 16-bit B · T · intermediate");
    EXPECT_EQ(firstOf(activation(Bytes{8} * 12 * 174 * 174 * 4), gpt2()),
        "[8, 12, 174, 174] fp32 B · heads · T · T");
}

TEST(TensorShapes, OfLabelsShiftedByOneHaveAShorterLength)
{
    EXPECT_EQ(firstOf(activation(Bytes{8} * 173 * 50257 * 2), gpt2()),
        "[8, 173, 50257] 16-bit B · T − 1 · vocabulary");
}

TEST(TensorShapes, AreGradeBOnlyWhereTheFramesAgree)
{
    const Bytes logits = Bytes{8} * 174 * 50257 * 2;
    EXPECT_EQ(tensorShapes(activation(logits, StackTopic::Logits), gpt2()).front().grade, Grade::B);
    EXPECT_EQ(tensorShapes(activation(logits), gpt2()).front().grade, Grade::C);
    EXPECT_EQ(tensorShapes(activation(logits, StackTopic::Attention), gpt2()).front().grade, Grade::C);
}

TEST(TensorShapes, OfInferredNumbersAreGradeC)
{
    const auto shapes
        = tensorShapes(activation(Bytes{1024} * 10000 * 4, StackTopic::Logits), inferredNumbers());
    ASSERT_FALSE(shapes.empty());
    EXPECT_EQ(shapes.front().text(), "[1024, 10000] fp32");
    EXPECT_EQ(shapes.front().grade, Grade::C);
}

TEST(TensorShapes, FollowTheCategory)
{
    const Bytes matrix = Bytes{1280} * 5120 * 4;
    EXPECT_EQ(firstOf({matrix, false, Category::Parameter, {}, false, false}, inferredNumbers()),
        "[5120, 1280] fp32 intermediate · hidden");
    EXPECT_EQ(firstOf(activation(matrix), inferredNumbers()), "") << "no activation is a weight in fp32";
    EXPECT_EQ(firstOf({matrix, false, Category::Workspace, {}, false, false}, inferredNumbers()), "");
}

TEST(TensorShapes, OfScoresAreSolvedForBatchAndLengthWhereFramesSpeakOfAttention)
{
    const Bytes scores = Bytes{4} * 20 * 256 * 256 * 4;
    EXPECT_EQ(firstOf(activation(scores), inferredNumbers()), "[1024, 5120] fp32 B·T · intermediate");
    const auto shapes = tensorShapes(activation(scores, StackTopic::Attention), inferredNumbers());
    ASSERT_FALSE(shapes.empty());
    EXPECT_EQ(shapes.front().text(), "[4, 20, 256, 256] fp32");
    EXPECT_NE(shapes.front().reason.find("a head size of 64 is assumed"), std::string::npos);
}

TEST(TensorShapes, LeaveTheRowsOfADistinctiveVocabularyOpen)
{
    EXPECT_EQ(firstOf(activation(Bytes{8} * 144 * 50257 * 2), gpt2()),
        "[8, 144, 50257] 16-bit B · T? · vocabulary");
    KnownNumbers plain;
    plain.all = {inferred(Dimension::Vocabulary, 8192)};
    plain.hasHalf = true;
    EXPECT_EQ(firstOf(activation(Bytes{1024} * 8192 * 4), plain), "") << "any power of two is a multiple";
}

TEST(TensorShapes, KnowNoSixteenBitsWhereNothingSpeaksForThem)
{
    KnownNumbers numbers = inferredNumbers();
    EXPECT_EQ(firstOf(activation(Bytes{1024} * 1280 * 2), numbers), "");
    numbers.hasHalf = true;
    EXPECT_EQ(firstOf(activation(Bytes{1024} * 1280 * 2), numbers), "[1024, 1280] 16-bit B·T · hidden");
}

TEST(TensorShapes, AllowForRoundingOnlyWhereSizesAreRounded)
{
    const Bytes logits = Bytes{8} * 174 * 50257 * 2;
    const Bytes rounded = (logits + 511) / 512 * 512;
    ASSERT_NE(logits, rounded);
    ShapeQuestion question = activation(rounded);
    EXPECT_EQ(firstOf(question, gpt2()), "");
    question.isRounded = true;
    EXPECT_EQ(firstOf(question, gpt2()), "[8, 174, 50257] 16-bit B · T · vocabulary");
}

TEST(TensorShapes, MultiplyToTheSizeAndAreFiveAtMost)
{
    for (const KnownNumbers& numbers : {gpt2(), inferredNumbers()}) {
        std::size_t found = 0;
        for (Bytes columns = 64; columns < 100'000; ++columns) {
            const Bytes bytes = 1024 * columns * 4;
            const auto shapes = tensorShapes({bytes, false, Category::Unknown, {}, false, false}, numbers);
            EXPECT_LE(shapes.size(), 5u);
            found += shapes.size();
            for (const TensorShape& shape : shapes) {
                Bytes product = shape.elementBytes;
                for (const ShapeDimension& dimension : shape.dimensions)
                    product *= dimension.value;
                EXPECT_EQ(product, bytes) << shape.text();
            }
        }
        EXPECT_GT(found, 0u);
    }
}

TEST(TensorShapes, AreSilentAboutNearlyEveryRandomSize)
{
    EXPECT_LE(falsePositives(gpt2(), false, Category::Unknown), 5) << "in 10,000";
    EXPECT_LE(falsePositives(inferredNumbers(), false, Category::Unknown), 5);
    EXPECT_LE(falsePositives(gpt2(), true, Category::Unknown), 70) << "0.7 %: multiples of a vocabulary";
    EXPECT_LE(falsePositives(inferredNumbers(), true, Category::Unknown), 150) << "1.5 %: of a small one";
}

TEST(TensorShapes, OfNothingKnownAreNone)
{
    EXPECT_TRUE(tensorShapes(activation(1024 * 1024), {}).empty());
    EXPECT_TRUE(tensorShapes(activation(-1), gpt2()).empty());
    EXPECT_TRUE(tensorShapes(activation(0), gpt2()).empty());
}

} // namespace highwater
