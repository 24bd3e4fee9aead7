#include "core/table/sweep_tables.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/table/category_columns.h"

namespace highwater {

namespace {

SweepRun run(const std::string& path, Bytes peak)
{
    SweepRun made;
    made.path = path;
    made.peakBytes = peak;
    made.peakEvent = 4;
    made.categories[static_cast<std::size_t>(Category::Gradient)] = peak;
    made.outline = {0, peak};
    return made;
}

std::string shownCell(const Table& table, std::size_t row, std::string_view key)
{
    const auto column = std::ranges::find(table.columns, key, &TableColumn::key);
    return cellText(table.rows[row][static_cast<std::size_t>(column - table.columns.begin())]);
}

} // namespace

TEST(SweepTable, SetsEachPeakAgainstTheReference)
{
    const Table table = sweepTable(compareSweep({run("a", 2048), run("b", 3072), run("c", 2048)}));
    EXPECT_EQ(shownCell(table, 0, "delta_bytes"), "reference");
    EXPECT_EQ(shownCell(table, 1, "delta_bytes"), "+1 KiB");
    EXPECT_EQ(shownCell(table, 2, "delta_bytes"), "0 B");
}

TEST(SweepTable, GivesTheOneScaleOfTheCurvesInTheirTitle)
{
    const Table table = sweepTable(compareSweep({run("a", 2048), run("b", 3072)}));
    const auto column = std::ranges::find(table.columns, "outline", &TableColumn::key);
    EXPECT_EQ(column->title, "Curve, 0 to 3 KiB");
}

TEST(SweepTable, SaysThatAPeakIsAtLeastSoMuch)
{
    SweepRun cut = run("a", 2048);
    cut.isIncomplete = true;
    EXPECT_EQ(shownCell(sweepTable(compareSweep({cut, run("b", 1)})), 0, "peak_bytes"), "≥ 2 KiB");
}

TEST(SweepTable, HasAColumnForEachCategoryThatOccurs)
{
    const Table table = sweepTable(compareSweep({run("a", 2048), run("b", 1)}));
    EXPECT_EQ(std::ranges::count_if(table.columns, isCategoryColumn), 1);
    EXPECT_EQ(table.columns.back().key, "gradient_bytes");
}

TEST(SweepTable, SaysWhereMemoryRanOut)
{
    SweepRun failed = run("a", 2048);
    failed.oomCount = 1;
    failed.oomStep = "step 14";
    const Table table = sweepTable(compareSweep({failed, run("b", 1)}));
    EXPECT_EQ(shownCell(table, 0, "ooms"), "in step 14");
    EXPECT_EQ(shownCell(table, 1, "ooms"), "–");
}

TEST(SweepTable, GivesTheRowOfAFileThatCannotBeReadToTheReason)
{
    const Table table = sweepTable(compareSweep({run("a", 2048), unreadableRun("b", "is no snapshot")}));
    EXPECT_EQ(cellText(table.rows[1][1]), "is no snapshot");
    EXPECT_TRUE(table.rows[1][1].takesRest);
    EXPECT_EQ(table.rows[1].size(), table.columns.size());
}

TEST(SweepTable, MarksOnlyAFileThatCannotBeReadAsAFailure)
{
    const Table table = sweepTable(
        compareSweep({run("a", 2048), unreadableRun("b", Error{ErrorCode::BadRequest, "is a log", {}}),
            unreadableRun("c", Error{ErrorCode::CannotRead, "is missing", {}})}));
    EXPECT_EQ(table.rows[1][1].tone, CellTone::Quiet);
    EXPECT_EQ(table.rows[2][1].tone, CellTone::Worse);
}

} // namespace highwater
