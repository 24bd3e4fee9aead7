#include "core/table/diff_tables.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

RunDiff threeRows()
{
    RunDiff diff;
    diff.rows = {{"forward (model.py:3)", "", {1024, 1, 1024}, {4096, 4, 1024}, false},
        {"backward (model.py:9)", "", {2048, 2, 1024}, {0, 0, -1}, false},
        {"step (train.py:1)", "", {512, 1, 512}, {512, 1, 512}, true}};
    diff.before = {3584, 4, {}};
    diff.after = {4608, 5, {}};
    return diff;
}

} // namespace

TEST(DiffTable, NamesRowsInShortAndByTheirWholeKeyOnDemand)
{
    const Table table = diffTable(GroupKey::Site, threeRows(), 10);
    EXPECT_EQ(cellText(table.rows[0][0]), "forward (model.py:3)");
    EXPECT_EQ(tipText(table.rows[0][0]), "forward (model.py:3)");
    EXPECT_EQ(*table.rows[0][0].text(), "forward (model.py:3)");
}

TEST(DiffTable, SumsWhatItLeavesOutAndHasBothTotals)
{
    const Table table = diffTable(GroupKey::Site, threeRows(), 2);
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(cellText(table.rows[1][0]), "2 others");
    EXPECT_EQ(cellText(table.rows[1][1]), "−2 KiB");
    EXPECT_EQ(cellText(table.total[1]), "+1 KiB");
    EXPECT_EQ(cellText(table.total[2]), "3.5 KiB");
    EXPECT_EQ(cellText(table.total.back()), "grew");
}

TEST(DiffTable, WritesADifferenceOfNothingAndALooseMatch)
{
    const Table table = diffTable(GroupKey::Site, threeRows(), 10);
    EXPECT_EQ(cellText(table.rows[2][1]), "0 B");
    EXPECT_EQ(cellText(table.rows[2].back()), "same (loose)");
    EXPECT_EQ(cellText(table.rows[1].back()), "gone");
}

TEST(DiffTable, ShowsEachAmountInItsOwnUnit)
{
    RunDiff diff;
    diff.rows = {{"forward (model.py:3)", "", {512 * kMiB, 1, 512 * kMiB}, {4 * kGiB, 1, 4 * kGiB}, false}};
    const Table table = diffTable(GroupKey::Site, diff, 10);
    EXPECT_EQ(cellText(table.rows[0][2]), "512 MiB");
    EXPECT_EQ(cellText(table.rows[0][4]), "4 GiB");
}

TEST(DiffTable, ExplainsTheFactorsInTheTipOfTheirTitle)
{
    SizeCauses causes;
    causes.factors.cause = SizeCause::Precision;
    causes.factors.precision = 0.5;
    const RunDiff diff = threeRows();
    const TableSource source = diffSource(GroupKey::Site, diff, &causes);
    const TableColumn& column = source.columns[source.columns.size() - 2].column;
    EXPECT_EQ(column.key, "each");
    EXPECT_NE(column.tip.find("×½"), std::string::npos);
}

TEST(SettingChangeTable, HasADashWhereARunDoesNotSetIt)
{
    const Table table = settingChangeTable({{"batch", "", "8"}});
    EXPECT_EQ(cellText(table.rows[0][1]), "–");
    EXPECT_EQ(cellText(table.rows[0][2]), "8");
}

TEST(SettingChangeTable, HasOneRowForAListWithTheSameValues)
{
    const Table table
        = settingChangeTable({{"list.1", "0", "16"}, {"list.2", "0", "16"}, {"other", "", "1"}});
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(cellText(table.rows[0][0]), "list.*");
}

} // namespace highwater
