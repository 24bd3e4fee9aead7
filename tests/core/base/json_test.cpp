#include "core/base/json.h"

#include <string>

#include <gtest/gtest.h>

namespace highwater {

TEST(JsonOrNull, GivesTheValue)
{
    EXPECT_EQ(jsonText(orNull(std::optional(12))), "12");
    EXPECT_EQ(jsonText(orNull(std::optional<std::string>("log"))), "\"log\"");
}

TEST(JsonOrNull, GivesAValueThatIsZeroOrEmpty)
{
    EXPECT_EQ(jsonText(orNull(std::optional(0))), "0");
    EXPECT_EQ(jsonText(orNull(std::optional(false))), "false");
    EXPECT_EQ(jsonText(orNull(std::optional<std::string>(""))), "\"\"");
}

TEST(JsonOrNull, GivesNullWhereThereIsNone)
{
    EXPECT_TRUE(orNull(std::optional<int>()).is_null());
    EXPECT_TRUE(orNull<nlohmann::json>(std::optional<std::string>()).is_null());
    EXPECT_TRUE(textOrNull("").is_null());
    EXPECT_EQ(jsonText(textOrNull("log")), "\"log\"");
}

TEST(ParseJson, SortsKeysUnlessTheirOrderIsWanted)
{
    EXPECT_EQ(jsonText(parseJson("{\"b\": 1, \"a\": [2]}")), "{\"a\":[2],\"b\":1}");
    EXPECT_EQ(jsonText(parseOrderedJson("{\"b\": 1, \"a\": [2]}")), "{\"b\":1,\"a\":[2]}");
}

TEST(ParseJson, DiscardsWhatIsNoJson)
{
    EXPECT_TRUE(parseJson("{\"a\": ").is_discarded());
    EXPECT_TRUE(parseOrderedJson("a").is_discarded());
    EXPECT_TRUE(parseIntegerJson("[1").is_discarded());
}

TEST(ParseWholeJson, DiscardsWhatHasAFractionAnywhere)
{
    EXPECT_EQ(jsonText(parseIntegerJson("{\"a\": [1, -2, 18446744073709551615]}")),
        "{\"a\":[1,-2,18446744073709551615]}");
    EXPECT_TRUE(parseIntegerJson("{\"a\": [1, 2.5]}").is_discarded());
    EXPECT_TRUE(parseIntegerJson("[1e3]").is_discarded());
}

TEST(JsonText, ReplacesBytesThatAreNotUtf8)
{
    EXPECT_EQ(jsonText(nlohmann::json("a\xff")), "\"a\xef\xbf\xbd\"");
}

TEST(JsonText, IsIndentedOnlyIfAsked)
{
    EXPECT_EQ(jsonText(nlohmann::json{{"a", 1}}), "{\"a\":1}");
    EXPECT_EQ(jsonText(nlohmann::json{{"a", 1}}, 2), "{\n  \"a\": 1\n}");
}

} // namespace highwater
