#include "core/base/json_or_null.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace highwater {

TEST(JsonOrNull, GivesTheValue)
{
    EXPECT_EQ(orNull(std::optional(12)).dump(), "12");
    EXPECT_EQ(orNull(std::optional<std::string>("log")).dump(), "\"log\"");
}

TEST(JsonOrNull, GivesAValueThatIsZeroOrEmpty)
{
    EXPECT_EQ(orNull(std::optional(0)).dump(), "0");
    EXPECT_EQ(orNull(std::optional(false)).dump(), "false");
    EXPECT_EQ(orNull(std::optional<std::string>("")).dump(), "\"\"");
}

TEST(JsonOrNull, GivesNullWhereThereIsNone)
{
    EXPECT_TRUE(orNull(std::optional<int>()).is_null());
    EXPECT_TRUE(orNull<nlohmann::json>(std::optional<std::string>()).is_null());
}

} // namespace highwater
