#include "core/trace/memory_event.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(MemoryEventTable, GivesBackTheRowsThatItWasGiven)
{
    MemoryEventTable table;
    const MemoryEvent event{
        Action::Oom, 5, 6, 7, StreamId(8u), StackId(9u), PoolId(10u), StringId(12u), StringId(11u)};
    table.push({});
    table.push(event);
    const MemoryEvent row = table.row(1);
    EXPECT_EQ(row.action, Action::Oom);
    EXPECT_EQ(row.address, 5u);
    EXPECT_EQ(row.size, 6);
    EXPECT_EQ(row.time, 7);
    EXPECT_EQ(row.stream, StreamId(8u));
    EXPECT_EQ(row.stack, StackId(9u));
    EXPECT_EQ(row.pool, PoolId(10u));
    EXPECT_EQ(row.category, StringId(12u));
    EXPECT_EQ(row.details, StringId(11u));
}

TEST(MemoryEventTable, PoolAndDetailsAreNoneWhereNotGiven)
{
    MemoryEventTable table;
    MemoryEvent event;
    event.pool = PoolId(0u);
    event.details = StringId(0u);
    table.push({});
    table.push(event);
    table.push({});
    EXPECT_TRUE(table.row(0).pool.isNone());
    EXPECT_FALSE(table.row(1).pool.isNone());
    EXPECT_FALSE(table.row(1).details.isNone());
    EXPECT_TRUE(table.row(2).details.isNone());
}

TEST(Action, NamesAreThoseOfPyTorch)
{
    EXPECT_EQ(knownActionName(Action::FreeRequested), "free_requested");
    EXPECT_EQ(knownActionName(Action::UserDefined), "user_defined");
    EXPECT_EQ(knownActionName(Action::FirstUnknown), "");
}

} // namespace highwater
