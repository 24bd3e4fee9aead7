#include "core/table/aligned_text.h"

#include <gtest/gtest.h>

#include "core/table/cells.h"

namespace highwater {

namespace {

Table twoColumns(std::vector<TableRow> rows)
{
    return {"t", "", {{"Name", "name"}, {"Bytes", "bytes", true}}, std::move(rows), {}, {}};
}

} // namespace

TEST(AlignedText, LinesUpItsColumnsWithTheTotalBelow)
{
    Table table = twoColumns({{"a", bytesCell(1)}, {"longer", bytesCell(2048)}});
    table.total = {"total", bytesCell(2049)};
    EXPECT_EQ(alignedText(table),
        "  Name       Bytes\n  a            1 B\n  longer  2.00 KiB\n  total   2.00 KiB\n");
}

TEST(AlignedText, CountsCharactersAndNotBytes)
{
    EXPECT_EQ(alignedText(twoColumns({{"µµµµµ", deltaCell(-1)}, {"ab", {}}})),
        "  Name   Bytes\n  µµµµµ   −1 B\n  ab         –\n");
}

TEST(AlignedText, GivesATextOfSeveralLinesAsMany)
{
    EXPECT_EQ(alignedText(twoColumns({{"first\nsecond", bytesCell(1)}, {"b", bytesCell(2)}})),
        "  Name      Bytes\n  first       1 B\n    second\n  b           2 B\n");
}

TEST(AlignedText, SaysWhatIsLeftOut)
{
    Table table = twoColumns({{"a", bytesCell(1)}, {"b", bytesCell(2)}, {"c", bytesCell(2)}});
    cutRows(table, 1, "rows");
    EXPECT_EQ(alignedText(table), "  Name  Bytes\n  a       1 B\n  and 2 more rows\n");
}

TEST(AlignedText, ShowsNoControlCharactersOfAFile)
{
    EXPECT_EQ(alignedText(twoColumns({{"a\x1b[31m", {}}})).find('\x1b'), std::string::npos);
}

TEST(AlignedText, GivesASentenceTheRestOfItsRow)
{
    const Table table{"t", "", {{"Name", "name"}, {"Bytes", "bytes", true}, {"Blocks", "count", true}},
        {{"a", bytesCell(1), countCell(1)}, {"b", Cell("cannot be read").takeRest(), {}}}, {}, {}};
    EXPECT_EQ(alignedText(table), "  Name  Bytes  Blocks\n  a       1 B       1\n  b     cannot be read\n");
}

TEST(AlignedText, SetsOffTextsAndKeepsTheirWidths)
{
    Table table = twoColumns({{Cell("bad").mark(CellTone::Worse), bytesCell(1)}, {"longer", bytesCell(2)}});
    const auto toned = [](CellTone tone, const std::string& text) {
        return tone == CellTone::Worse ? "<" + text + ">" : text;
    };
    EXPECT_EQ(alignedText(table, toned), "  Name    Bytes\n  <bad>       1 B\n  longer    2 B\n");
}

} // namespace highwater
