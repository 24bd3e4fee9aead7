#include "importers/kineto/json_tokens.h"

#include <gtest/gtest.h>

namespace highwater::kineto {

TEST(JsonTokens, TextIsWhatStandsBetweenTheQuotes)
{
    EXPECT_EQ(textOf("\"aten::mm\""), "aten::mm");
    EXPECT_EQ(textOf("\"aten::mm\"\n  "), "aten::mm");
    EXPECT_EQ(textOf("\"\""), "");
    EXPECT_EQ(textOf(""), "");
}

TEST(JsonTokens, TextOfANumberIsTheNumber)
{
    EXPECT_EQ(textOf("25738 \n"), "25738");
}

TEST(JsonTokens, EscapesAreResolved)
{
    EXPECT_EQ(unescaped("a\\\"b\\\\c\\u0041\\u00e9"), "a\"b\\cA?");
    EXPECT_EQ(unescaped("cut \\u00"), "cut ?");
}

TEST(JsonTokens, WholeNumbersMayBeQuoted)
{
    EXPECT_EQ(wholeNumberOf("-12"), -12);
    EXPECT_EQ(wholeNumberOf("\"12\""), 12);
    EXPECT_EQ(wholeNumberOf("12.5"), std::nullopt);
    EXPECT_EQ(wholeNumberOf("99999999999999999999"), std::nullopt);
}

TEST(JsonTokens, AddressesOfTheUpperHalfKeepTheirBits)
{
    EXPECT_EQ(wholeNumberOf("18446744073709551615"), -1);
}

TEST(JsonTokens, MicrosecondsKeepEveryNanosecond)
{
    EXPECT_EQ(nanosecondsFromMicroseconds("1669783687464300"), 1669783687464300000);
    EXPECT_EQ(nanosecondsFromMicroseconds("1790857026123456.789"), 1790857026123456789);
    EXPECT_EQ(nanosecondsFromMicroseconds("5.04"), 5040);
    EXPECT_EQ(nanosecondsFromMicroseconds("-2.5"), -2500);
}

TEST(JsonTokens, MicrosecondsWithAnExponentAreRead)
{
    EXPECT_EQ(nanosecondsFromMicroseconds("1.5e3"), 1500000);
}

TEST(JsonTokens, MicrosecondsBeyondTheClockAreNone)
{
    EXPECT_EQ(nanosecondsFromMicroseconds("99999999999999999999"), std::nullopt);
    EXPECT_EQ(nanosecondsFromMicroseconds("1e300"), std::nullopt);
    EXPECT_EQ(nanosecondsFromMicroseconds("null"), std::nullopt);
}

} // namespace highwater::kineto
