#include "core/table/sinks/aligned_text.h"

#include <sstream>

#include <gtest/gtest.h>

#include "core/base/text_format.h"
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
    EXPECT_EQ(alignedText(table), "  Name    Bytes\n  a         1 B\n  longer  2 KiB\n  total   2 KiB\n");
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

TEST(AlignedText, ShowsNoControlCharactersInTitles)
{
    Table table = twoColumns({{"a", bytesCell(1)}});
    table.columns[1].title = "b\x1b[31m";
    EXPECT_EQ(alignedText(table), "  Name  b\uFFFD[31m\n  a        1 B\n");
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

TEST(AlignedText, KeepsTheLineOfCodeWhereItFitsAWidth)
{
    const Table table = twoColumns({{"forward (/app/somebody/work/model.py:39)", bytesCell(1)}});
    const std::string text = alignedText(table, {}, 40);
    EXPECT_EQ(text, "  Name                             Bytes\n  …/somebody/work/model.py:39)       1 B\n")
        << text;
    EXPECT_EQ(alignedText(table, {}, 200), alignedText(table));
}

TEST(AlignedText, CutsTheFunctionBeforeTheLineAndNoFigure)
{
    const Table table
        = twoColumns({{"forward (model.py:64) ← policy_log_probs (trainer.py:186)", bytesCell(1)},
            {"1 of 1 failed requests fit, with only 194 MiB free on the GPU", {}}});
    const std::string text = alignedText(table, {}, 60);
    EXPECT_NE(text.find("forward (model.py:64) ← polic…robs (trainer.py:186)"), std::string::npos) << text;
    EXPECT_NE(alignedText(table, {}, 53).find("with only…"), std::string::npos) << text;
}

TEST(AlignedText, KeepsTheLineOfALibraryCall)
{
    const Table table = twoColumns({{"train (train.py:48) [forward (linear.py:134)]", bytesCell(1)}});
    EXPECT_NE(alignedText(table, {}, 45).find("  train (train.py:48) [linear.py:134]  "), std::string::npos);
    EXPECT_NE(alignedText(table, {}, 36).find("  train (train.py:48)…  "), std::string::npos);
}

TEST(AlignedText, CutsTheLongestPartInItsMiddle)
{
    const Table table = twoColumns({{"backward · ScaledDotProductFlashAttentionBackward0", bytesCell(1)},
        {"default pool · stream 0 · large", {}}});
    const std::string text = alignedText(table, {}, 36);
    EXPECT_NE(text.find("  backward · ScaledDo…ckward0  "), std::string::npos) << text;
    EXPECT_NE(text.find("  defa…ool · stream 0 · large  "), std::string::npos) << text;
}

TEST(AlignedText, CountsCharactersNotBytesWhereItCuts)
{
    const Table table = twoColumns({{"ééééééééééééééééééééééééééééééééééééé", bytesCell(1)}});
    const std::string text = alignedText(table, {}, 40);
    EXPECT_EQ(sanitizedText(text.substr(0, text.size() - 1)).find("\uFFFD\uFFFD"), std::string::npos);
}

TEST(AlignedText, PutsColumnsBelowEachOtherThatDoNotFitBeside)
{
    Table table{"t", {}, {{"Name", "name"}}};
    TableRow row{"run"};
    for (int i = 0; i < 6; ++i) {
        table.columns.push_back({"Figure of " + std::to_string(i), "f" + std::to_string(i), true});
        row.push_back(bytesCell(i));
    }
    table.rows.push_back(row);
    const std::string text = alignedText(table, {}, 40);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 40u) << line;
    for (int i = 0; i < 6; ++i)
        EXPECT_NE(text.find("Figure of " + std::to_string(i)), std::string::npos);
    EXPECT_NE(text.find("\n\n  Name"), std::string::npos);
}

TEST(AlignedText, KeepsDifferentNamesOfRowsDifferent)
{
    const Table table
        = twoColumns({{"forward (model.py:64) ← policy_log_probs (trainer.py:186)", bytesCell(1)},
            {"forward (model.py:64) ← reference_log_probs (trainer.py:201)", bytesCell(2)}});
    const std::string text = alignedText(table, {}, 48);
    EXPECT_NE(text.find("  forward (model.py:64) ← trainer.py:186"), std::string::npos) << text;
    EXPECT_NE(text.find("  forward (model.py:64) ← trainer.py:201"), std::string::npos) << text;
}

TEST(AlignedText, GivesTextsTheRoomOfTheirBlock)
{
    const std::string status = "grew, at another moment of the run than";
    Table table{"t", {}, {{"Name", "name"}, {"Status", "status"}}, {{"a", Cell(status)}}, {}, {}};
    for (int i = 0; i < 6; ++i) {
        table.columns.push_back({"Figure of " + std::to_string(i), "f" + std::to_string(i), true});
        table.rows.front().push_back(bytesCell(i));
    }
    EXPECT_NE(alignedText(table, {}, 60).find(status), std::string::npos) << alignedText(table, {}, 60);
}

} // namespace highwater
