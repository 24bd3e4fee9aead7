#include "core/base/string_pool.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(StringPool, GivesIdsInOrderOfFirstAppearance)
{
    StringPool pool;
    EXPECT_EQ(pool.intern("a"), StringId(0u));
    EXPECT_EQ(pool.intern("b"), StringId(1u));
    EXPECT_EQ(pool.intern("a"), StringId(0u));
    EXPECT_EQ(pool.size(), 2u);
}

TEST(StringPool, FindsOnlyWhatIsThere)
{
    StringPool pool;
    const StringId id = pool.intern("there");
    EXPECT_EQ(pool.find("there"), id);
    EXPECT_TRUE(pool.find("not there").isNone());
}

TEST(StringPool, GivesTheEmptyTextForNoneAndForeignIds)
{
    StringPool pool;
    pool.intern("a");
    EXPECT_EQ(pool.view(StringId()), "");
    EXPECT_EQ(pool.view(StringId(7u)), "");
}

TEST(StringPool, KeepsTextsWithZeroBytesAndTheEmptyTextApart)
{
    StringPool pool;
    const StringId empty = pool.intern("");
    const StringId zero = pool.intern(std::string_view("\0", 1));
    EXPECT_NE(empty, zero);
    EXPECT_EQ(pool.view(zero).size(), 1u);
}

TEST(StringPool, ViewsStayValidWhileItGrows)
{
    StringPool pool;
    const std::string_view first = pool.view(pool.intern("the first text"));
    for (int i = 0; i < 20000; ++i)
        pool.intern("text number " + std::to_string(i));
    EXPECT_EQ(first, "the first text");
    EXPECT_EQ(pool.view(pool.find("text number 12345")), "text number 12345");
}

TEST(StringPool, TakesTextsLongerThanItsChunks)
{
    StringPool pool;
    const std::string large(200'000, 'x');
    pool.intern("small");
    const StringId id = pool.intern(large);
    pool.intern("small again");
    EXPECT_EQ(pool.view(id), large);
}

} // namespace highwater
