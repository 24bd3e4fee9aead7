#include "core/base/whole_number.h"

#include <limits>

#include <gtest/gtest.h>

namespace highwater {

TEST(WholeNumber, IsReadWhereItFits)
{
    EXPECT_EQ(wholeNumber<int>(-5), -5);
    EXPECT_EQ(wholeNumber<std::int64_t>(parseJson("-9223372036854775808")),
        std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(wholeNumber<std::uint64_t>(parseJson("18446744073709551615")),
        std::numeric_limits<std::uint64_t>::max());
}

TEST(WholeNumber, IsMissingWhereAnythingElseStands)
{
    for (const char* text : {"1e300", "-1e300", "2.0", "2147483648", "-2147483649", "18446744073709551615",
             "true", "null", "\"5\"", "[5]", "{}"})
        EXPECT_THROW(wholeNumber<int>(parseJson(text)), nlohmann::json::exception) << text;
    EXPECT_THROW(wholeNumber<std::uint32_t>(-1), nlohmann::json::exception);
}

} // namespace highwater
