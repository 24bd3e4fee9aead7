#include "core/base/strong_id.h"

#include <type_traits>

#include <gtest/gtest.h>

namespace highwater {

using AppleId = StrongId<struct AppleTag>;
using PearId = StrongId<struct PearTag>;

TEST(StrongId, IsNoneUntilItIsGivenAValue)
{
    EXPECT_TRUE(AppleId().isNone());
    EXPECT_FALSE(AppleId(0u).isNone());
}

TEST(StrongId, OfOneTableIsNotOneOfAnother)
{
    EXPECT_FALSE((std::is_convertible_v<AppleId, PearId>));
    EXPECT_FALSE((std::is_convertible_v<std::uint32_t, AppleId>));
}

TEST(StrongId, ComparesByValue)
{
    EXPECT_LT(AppleId(1u), AppleId(2u));
    EXPECT_EQ(AppleId(std::size_t{3}), AppleId(3u));
}

} // namespace highwater
