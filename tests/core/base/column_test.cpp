#include "core/base/column.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(Column, KeepsValuesWhileItGrows)
{
    Column<int> column;
    for (int i = 0; i < 10000; ++i)
        column.push_back(i);
    for (std::size_t i = 0; i < 10000; ++i)
        ASSERT_EQ(column[i], static_cast<int>(i));
    EXPECT_EQ(column.size(), 10000u);
}

TEST(Column, FillsNewValuesOnResize)
{
    Column<int> column;
    column.push_back(1);
    column.resize(3, 9);
    EXPECT_EQ(std::vector<int>(column.begin(), column.end()), (std::vector<int>{1, 9, 9}));
}

TEST(Column, ShrinksOnResizeAndFillsAnewAfterwards)
{
    Column<int> column;
    column.resize(4, 1);
    column.resize(2);
    column.resize(4, 2);
    EXPECT_EQ(std::vector<int>(column.begin(), column.end()), (std::vector<int>{1, 1, 2, 2}));
}

TEST(Column, MovesWithoutCopying)
{
    Column<int> source;
    source.push_back(5);
    const int* const data = source.data();
    const Column<int> target(std::move(source));
    EXPECT_EQ(target.data(), data);
    EXPECT_EQ(target[0], 5);
}

TEST(Column, PopsTheLastValue)
{
    Column<int> column;
    column.push_back(1);
    column.push_back(2);
    column.pop_back();
    EXPECT_EQ(column.back(), 1);
    EXPECT_EQ(column.size(), 1u);
}

} // namespace highwater
