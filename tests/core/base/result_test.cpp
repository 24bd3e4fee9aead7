#include "core/base/result.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(Error, NamesItsPlaceAsByteOrLine)
{
    EXPECT_EQ(toText(Error{ErrorCode::Malformed, "is broken", Place::byte(10)}), "is broken (at byte 10)");
    EXPECT_EQ(toText(Error{ErrorCode::Malformed, "is broken", Place::line(3)}), "is broken (at line 3)");
}

TEST(Error, WithoutAPlaceIsTheMessageAlone)
{
    EXPECT_EQ(toText(Error{ErrorCode::CannotRead, "is a directory", {}}), "is a directory");
}

TEST(Fail, GivesAResultWithoutValue)
{
    const Result<int> result = fail(ErrorCode::Refused, "no");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Refused);
}

} // namespace highwater
