#include "core/run/element_type.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(ElementTypes, AreReadUnderTheirNamesAndPyTorchs)
{
    EXPECT_EQ(elementTypeFromText("bf16"), ElementType::Bf16);
    EXPECT_EQ(elementTypeFromText("bfloat16"), ElementType::Bf16);
    EXPECT_EQ(elementTypeFromText("torch.float32"), ElementType::Fp32);
    EXPECT_FALSE(elementTypeFromText("fp7"));
    EXPECT_FALSE(elementTypeFromText(""));
}

TEST(ElementTypes, NamesAreReadAsThemselves)
{
    for (const char* name : {"fp32", "fp16", "bf16", "fp8", "int8", "nf4"})
        EXPECT_EQ(toText(*elementTypeFromText(name)), name);
}

TEST(ElementTypes, Nf4HasTheConstantsOfItsBlocks)
{
    const ElementBytes bytes = bytesOf(ElementType::Nf4);
    EXPECT_EQ(bytes.numerator * 8 * 512, (4 * 512 + 64 + 1) * bytes.denominator); // 4 + 8/64 + 32/16384 bits
}

} // namespace highwater
