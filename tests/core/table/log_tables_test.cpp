#include "core/table/log_tables.h"

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

std::vector<std::string> failureTitles(const Table& table)
{
    std::vector<std::string> titles;
    for (const TableColumn& column : table.columns)
        titles.push_back(column.title);
    return titles;
}

Table failuresIn(const std::string& sample)
{
    return failureTable(*openTrace(test::samplePath(sample), {})->trace);
}

} // namespace

TEST(FailureTable, HasTheMemoryOfTheGpuThatAddsUpToItsCapacity)
{
    const Table table = failuresIn("logs/two-ranks-oom.log");
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(failureTitles(table),
        (std::vector<std::string>{"Rank", "GPU", "Step", "Requested", "Place", "Line", "GPU used", "Free",
            "Other process", "Capacity"}));
    const TableRow& row = table.rows[1];
    EXPECT_EQ(cellText(row[0]), "1");
    EXPECT_EQ(cellText(row[1]), "1");
    EXPECT_EQ(cellText(row[2]), "after 3");
    EXPECT_EQ(row[5].amount()->value, 28);
    EXPECT_EQ(row[6].amount()->value + row[7].amount()->value, row[9].amount()->value);
    EXPECT_EQ(cellText(row[8]), "4242: 1.5 GiB");
}

TEST(FailureTable, SaysWhatFailedIfThatIsNotAlwaysGpuMemory)
{
    const Table table = failuresIn("logs/kinds/cpu-allocator.log");
    EXPECT_EQ(table.columns.front().key, "kind");
    EXPECT_EQ(cellText(table.rows.front().front()), "host memory");
}

TEST(FailedRankTable, IsEmptyForASingleFailure)
{
    const Table table = failedRankTable(*openTrace(test::samplePath("logs/r4-verl-before.err"), {})->trace);
    EXPECT_TRUE(table.rows.empty());
}

} // namespace highwater
