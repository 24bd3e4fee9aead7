#include "core/trace/activity_table.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(ActivityTable, OrdersItsRowsByBegin)
{
    ActivityTable table;
    table.push({ActivityKind::Copy, StringId(1u), 0, 7, 30, 31, 512});
    table.push({ActivityKind::Kernel, StringId(2u), 1, 8, 10, 20, 0});
    table.push({ActivityKind::RuntimeCall, StringId(3u), -1, 9, 30, 40, 0});
    table.order();
    EXPECT_EQ(table.row(0).name, StringId(2u));
    EXPECT_EQ(table.row(1).name, StringId(1u));
    EXPECT_EQ(table.row(1).bytes, 512);
    EXPECT_EQ(table.row(2).device, -1);
}

} // namespace highwater
