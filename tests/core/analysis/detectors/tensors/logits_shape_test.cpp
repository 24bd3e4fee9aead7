#include "core/analysis/detectors/tensors/logits_shape.h"

#include <gtest/gtest.h>

#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

constexpr Bytes kHalfLogits = Bytes{8} * 174 * 50257 * 2;

DetectorInput withBatchAndLength(const char* batch, const char* length)
{
    DetectorInput input;
    input.settings = {{"batch_size", batch, "json", 0}, {"seq_len", length, "json", 0}};
    return input;
}

std::string shapeText(const DetectorInput& input, Bytes size, bool hasDouble = false, bool hasHalf = false)
{
    return logitsShape(input, size, 50257, false, hasDouble, hasHalf).text;
}

} // namespace

TEST(LogitsShape, CountsRowsOfSixteenBits)
{
    EXPECT_EQ(positionCount(kHalfLogits, 50257, false), 1392);
    EXPECT_FALSE(positionCount(kHalfLogits + 2, 50257, false));
    EXPECT_FALSE(positionCount(8 * 50257 * 2, 50257, false)) << "too few to be logits";
}

TEST(LogitsShape, AllowsForTheRoundingOfProfilerTraces)
{
    const Bytes rounded = (kHalfLogits + 511) / 512 * 512;
    ASSERT_NE(rounded, kHalfLogits);
    EXPECT_EQ(positionCount(rounded, 50257, true), 1392);
    EXPECT_FALSE(positionCount(rounded, 50257, false));
    EXPECT_FALSE(positionCount(kHalfLogits + 512, 50257, true));
}

TEST(LogitsShape, IsWholeWhereTheSettingsGiveBatchAndLength)
{
    EXPECT_TRUE(test::hasParts(
        shapeText(withBatchAndLength("8", "174"), kHalfLogits), {"16-bit", "B=8, T=174", "50,257"}));
    EXPECT_TRUE(test::hasParts(
        shapeText(withBatchAndLength("8", "174"), 2 * kHalfLogits), {"fp32", "B=8, T=174", "50,257"}));
    EXPECT_TRUE(test::hasParts(
        shapeText(withBatchAndLength("8", "175"), kHalfLogits), {"16-bit", "B=8, T=174", "50,257"}))
        << "labels are shifted by one";
}

TEST(LogitsShape, TakesTheTypeFromAnUpcast)
{
    EXPECT_TRUE(test::hasParts(shapeText({}, kHalfLogits, true), {"16-bit", "B·T=1,392", "50,257"}));
    EXPECT_TRUE(test::hasParts(shapeText({}, kHalfLogits, false, true), {"fp32", "B·T=696", "50,257"}));
}

TEST(LogitsShape, LeavesOpenWhatTheSizeDoesNotTell)
{
    const LogitsShape ambiguous = logitsShape({}, kHalfLogits, 50257, false, false, false);
    EXPECT_EQ(ambiguous.text, "vocabulary 50,257");
    EXPECT_EQ(ambiguous.arithmetic, "133.43 MiB is 1,392 tokens × 50,257 in 16 bits, or 696 tokens in fp32");
}

} // namespace highwater
