#include "importers/pytorch_snapshot/record_store.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(RecordStore, JoinsRowsThatFollowEachOther)
{
    RecordStore store;
    const Value list = store.addRowList(code(ObjectType::EventList));
    for (const std::uint32_t row : {4u, 5u, 6u, 9u, 10u})
        store.appendRow(list.index, row);
    EXPECT_EQ(store.rows(list.index), (std::vector<RowRange>{{4, 7}, {9, 11}}));
}

TEST(RecordStore, RefusesNestingDeeperThanAnySnapshots)
{
    RecordStore store;
    Value inner = store.add(ObjectType::GenericList);
    int levels = 0;
    for (; levels < 1000; ++levels) {
        const Value outer = store.add(ObjectType::GenericList);
        const Result<void> done = store.append(outer.index, std::span(&inner, 1));
        if (!done) {
            EXPECT_EQ(done.error().code, ErrorCode::LimitExceeded);
            break;
        }
        inner = outer;
    }
    EXPECT_EQ(levels, 63);
}

TEST(RecordStore, CountsItsMemory)
{
    RecordStore store;
    const std::size_t empty = store.memoryBytes();
    const Value list = store.add(ObjectType::GenericList);
    const std::vector<Value> items(1000);
    ASSERT_TRUE(store.append(list.index, items));
    EXPECT_GE(store.memoryBytes(), empty + 16'000);
}

TEST(ObjectType, RowsAreThoseBeforeTheirLists)
{
    EXPECT_TRUE(isRow(code(ObjectType::EventRow)));
    EXPECT_TRUE(isRow(code(ObjectType::HistoryRow)));
    EXPECT_FALSE(isRow(code(ObjectType::SegmentList)));
    EXPECT_FALSE(isRow(code(ObjectType::Pool)));
}

} // namespace highwater
