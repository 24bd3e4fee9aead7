#include "core/analysis/diff/row_groups.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(RowGroups, TakeFewBytesWhereThereAreAMillion)
{
    EXPECT_LE(sizeof(RowGroups), 24u);
}

TEST(MatchedGroups, GivesTheGroupsOfARow)
{
    const MatchedGroups groups{{{{0, 2}, {0, 0}}, {{2, 3}, {0, 1}}}, {4, 1, 7}, {5}};
    EXPECT_EQ(groups.beforeOf(groups.rows[0]).size(), 2u);
    EXPECT_EQ(groups.beforeOf(groups.rows[1]).front(), 7u);
    EXPECT_TRUE(groups.afterOf(groups.rows[0]).empty());
    EXPECT_EQ(groups.afterOf(groups.rows[1]).front(), 5u);
}

} // namespace highwater
