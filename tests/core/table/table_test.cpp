#include "core/table/table.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/table/cells.h"

namespace highwater {

namespace {

std::string shown(std::int64_t value, AmountKind kind)
{
    return cellText(Amount{value, kind});
}
std::string exact(std::int64_t value, AmountKind kind)
{
    return exactText(Amount{value, kind});
}

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

} // namespace

TEST(Cell, WithNothingInItIsADash)
{
    EXPECT_EQ(cellText({}), "–");
    EXPECT_EQ(exactText({}), "");
}

TEST(Cell, ShowsTextAsItIs)
{
    EXPECT_EQ(cellText(std::string("a<b>\n")), "a<b>\n");
    EXPECT_EQ(exactText(std::string("a")), "");
}

TEST(Cell, ShowsBytesRoundedAndExact)
{
    EXPECT_EQ(shown(22'826'354'688, AmountKind::ByteCount), "21.26 GiB");
    EXPECT_EQ(exact(22'826'354'688, AmountKind::ByteCount), "22,826,354,688 B");
    EXPECT_EQ(exact(1023, AmountKind::ByteCount), "");
}

TEST(Cell, RoundsAShareOnce)
{
    EXPECT_EQ(cellText(shareCell(2'491, 100'000)), "2%");
    EXPECT_EQ(cellText(shareCell(3, 10'000)), "<0.1%");
    EXPECT_EQ(shareCell(2'491, 100'000).amount()->value, 25);
}

TEST(Cell, ShowsTheSignOfEveryChange)
{
    EXPECT_EQ(shown(1536, AmountKind::ByteDelta), "+1.5 KiB");
    EXPECT_EQ(exact(1536, AmountKind::ByteDelta), "+1,536 B");
    EXPECT_EQ(exact(-1536, AmountKind::ByteDelta), "−1,536 B");
    EXPECT_EQ(shown(0, AmountKind::ByteDelta), "0 B");
    EXPECT_EQ(shown(1234, AmountKind::CountDelta), "+1,234");
    EXPECT_EQ(shown(-1234, AmountKind::CountDelta), "−1,234");
    EXPECT_EQ(shown(0, AmountKind::CountDelta), "0");
    EXPECT_EQ(shown(1, AmountKind::PerMilleDelta), "+0.1%");
    EXPECT_EQ(shown(-226, AmountKind::PerMilleDelta), "−23%");
    EXPECT_EQ(shown(0, AmountKind::PerMilleDelta), "0%");
}

TEST(Cell, ShowsTheEventBeforeTheFirstAsTheStart)
{
    EXPECT_EQ(shown(5701, AmountKind::Event), "5,701");
    EXPECT_EQ(shown(0, AmountKind::Event), "0");
    EXPECT_EQ(shown(-1, AmountKind::Event), "start");
}

TEST(Cell, ShowsSharesInTenthsOfAPerCent)
{
    EXPECT_EQ(shown(172, AmountKind::PerMille), "17%");
    EXPECT_EQ(shown(1000, AmountKind::PerMille), "100%");
    EXPECT_EQ(shown(9'876, AmountKind::PerMille), "988%");
}

TEST(Cell, ShowsATinyShareAsLessThanATenthOfAPerCent)
{
    EXPECT_EQ(cellText(shareCell(1, 1'000'000)), "<0.1%");
    EXPECT_EQ(cellText(shareCell(0, 1'000'000)), "0%");
}

TEST(Cell, ShowsFactorsWithThreeDigitsAtMost)
{
    EXPECT_EQ(shown(13'300, AmountKind::Factor), "13.3×");
    EXPECT_EQ(shown(1'074, AmountKind::Factor), "1.07×");
    EXPECT_EQ(shown(9'996, AmountKind::Factor), "10×");
    EXPECT_EQ(shown(1'234'567, AmountKind::Factor), "1,235×");
    EXPECT_EQ(exact(1'074, AmountKind::Factor), "1.074×");
    EXPECT_EQ(exact(13'300, AmountKind::Factor), "");
}

TEST(Cell, ShowsTheSmallestIntegerOfEveryKind)
{
    EXPECT_EQ(shown(kMin, AmountKind::Count), "−9,223,372,036,854,775,808");
    EXPECT_TRUE(shown(kMin, AmountKind::PerMilleDelta).starts_with("−9,0"));
    EXPECT_EQ(exact(kMin, AmountKind::ByteDelta), "−9,223,372,036,854,775,808 B");
}

TEST(Cell, ShowsOtherWordsThanItsValue)
{
    const Cell cell = bytesCell(2048).show("≥ 2 KiB").explain("at least");
    EXPECT_EQ(cellText(cell), "≥ 2 KiB");
    EXPECT_EQ(exactText(cell), "2,048 B");
    EXPECT_EQ(tipText(cell), "at least");
    EXPECT_EQ(tipText(bytesCell(2048)), "2,048 B");
}

TEST(Cell, DrawsACurveOfAtMost24Characters)
{
    EXPECT_EQ(cellText(Outline{{0, 4, 8}, 8}), "▁▅█");
    EXPECT_EQ(cellText(Outline{{0, 4}, 0}), "▁▁");
    EXPECT_EQ(cellText(Outline{std::vector<Bytes>(128, 1), 1}).size(), 24 * std::string("█").size());
}

TEST(Table, KnowsWhatItsColumnsCount)
{
    EXPECT_EQ(unitOf({"Peak", "peak_bytes", true}), "bytes");
    EXPECT_EQ(unitOf({"Time", "duration_ns", true}), "ns");
    EXPECT_EQ(unitOf({"Blocks", "count", true}), "1");
    EXPECT_EQ(unitOf({"Share", "share_per_mille", true}), "of 1");
    EXPECT_EQ(unitOf({"Factor", "ratio_thousandths", true}), "");
    EXPECT_EQ(unitOf({"Name", "name"}), "");
    EXPECT_EQ(unitOf({"First", "first", true, "", true}), "");
}

TEST(Table, LosesColumnsWithTheirCells)
{
    const Table table{"t", "", {{"A", "a"}, {"B", "b"}, {"C", "c"}}, {{"1", "2", "3"}}, {"x", "y", "z"}, {}};
    EXPECT_EQ(withoutColumns(table, {"a", "c"}), (Table{"t", "", {{"B", "b"}}, {{"2"}}, {"y"}, {}}));
}

TEST(Table, HasTheChosenRowsInTheirOrder)
{
    const Table table{"t", "", {{"A", "a"}}, {{"1"}, {"2"}, {"3"}}, {"6"}, {}};
    EXPECT_EQ(withRows(table, {2, 0}), (Table{"t", "", {{"A", "a"}}, {{"3"}, {"1"}}, {"6"}, {}}));
}

TEST(Table, KeepsItsFirstRowsAndSaysHowManyItLeavesOut)
{
    Table table{"t", "", {{"A", "a"}}, {{"1"}, {"2"}, {"3"}}, {}, {}};
    cutRows(table, 3, "rows");
    EXPECT_EQ(table.leftOut, "");
    cutRows(table, 2, "rows");
    EXPECT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.leftOut, "and 1 more rows");
}

TEST(Table, ShowsNoTotalOfASingleRow)
{
    Table table{"t", "", {{"A", "a"}}, {{"1"}, {"2"}}, {"3"}, {}};
    EXPECT_TRUE(showsTotal(table));
    cutRows(table, 1, "rows");
    EXPECT_TRUE(showsTotal(table)) << "it includes the row that is left out";
    table.leftOut.clear();
    EXPECT_FALSE(showsTotal(table));
}

TEST(Table, LeavesOutColumnsThatShowOnlyDashes)
{
    const Table table{"t", "", {{"A", "a"}, {"B", "b"}, {"C", "c"}, {"D", "d"}},
        {{"1", {}, {}, Cell().show("unknown")}, {"2", {}, {}, {}}}, {"3", {}, "9", {}}, {}};
    std::string titles;
    for (const TableColumn& column : withoutEmptyColumns(table).columns)
        titles += column.title;
    EXPECT_EQ(titles, "ACD") << "a total and a text in place of a value are shown";
}

} // namespace highwater
