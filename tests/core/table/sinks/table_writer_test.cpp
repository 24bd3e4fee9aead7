#include "core/base/json.h"
#include "core/table/sinks/table_writer.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

std::string csvField(std::string_view text)
{
    std::string out;
    appendCsvText(out, text);
    return out;
}

/// Writes two columns, with a row for each number and its text.
std::string table(TableFormat format, int rows)
{
    std::string out;
    TableWriter writer(format,
        [&out](std::string_view bytes) {
            out += bytes;
            return true;
        },
        "rows", {"number", "text"}, {{"device", "0"}});
    for (int i = 0; i < rows; ++i) {
        writer.number(i);
        writer.text("a,b");
    }
    EXPECT_TRUE(writer.finish());
    return out;
}

} // namespace

TEST(JsonField, IsValidUtf8WhateverTheText)
{
    EXPECT_EQ(jsonString("a\xff"
                         "b\xc3"),
        "\"a\uFFFDb\uFFFD\"");
    EXPECT_EQ(jsonString("ü – \U0001F600\"\n"), "\"ü – \U0001F600\\\"\\n\"");
}

TEST(CsvText, IsPlainWhereItNeedsNoQuotes)
{
    EXPECT_EQ(csvField("run_softmax (adapters.py:817)"), "run_softmax (adapters.py:817)");
    EXPECT_EQ(csvField(""), "");
}

TEST(CsvText, QuotesCommasQuotesAndLineBreaks)
{
    EXPECT_EQ(csvField("a,b"), "\"a,b\"");
    EXPECT_EQ(csvField("say \"no\""), "\"say \"\"no\"\"\"");
    EXPECT_EQ(csvField("a\nb"), "\"a\nb\"");
}

TEST(CsvText, NeverReachesASpreadsheetAsAFormula)
{
    EXPECT_EQ(csvField("=1+2"), "\"'=1+2\"");
    EXPECT_EQ(csvField("+1"), "\"'+1\"");
    EXPECT_EQ(csvField("-1"), "\"'-1\"");
    EXPECT_EQ(csvField("@SUM(A1)"), "\"'@SUM(A1)\"");
    EXPECT_EQ(csvField("\t=1"), "\"'\t=1\"");
}

TEST(JsonText, EscapesWhatJsonDoes)
{
    EXPECT_EQ(jsonString("a\"b\\c\nd\te\x01"), "\"a\\\"b\\\\c\\nd\\te\\u0001\"");
    EXPECT_EQ(parseJson(jsonString("größe · \x7f <b>")), "größe · \x7f <b>");
}

TEST(TableWriter, WritesCsvWithNamesAndCrlf)
{
    EXPECT_EQ(table(TableFormat::Csv, 2), "number,text\r\n0,\"a,b\"\r\n1,\"a,b\"\r\n");
}

TEST(TableWriter, WritesJsonThatParses)
{
    const nlohmann::json document = parseJson(table(TableFormat::Json, 2));
    EXPECT_EQ(document["device"], 0);
    EXPECT_EQ(document["rows"][1], (nlohmann::json{{"number", 1}, {"text", "a,b"}}));
}

TEST(TableWriter, WritesAnEmptyTable)
{
    EXPECT_EQ(table(TableFormat::Csv, 0), "number,text\r\n");
    EXPECT_TRUE(parseJson(table(TableFormat::Json, 0))["rows"].empty());
}

TEST(TableWriter, WritesEveryKindOfCell)
{
    for (const auto& [format, expected] : {std::pair(TableFormat::Csv, "0xffffffffffffffff,true,,-5\r\n"),
             std::pair(TableFormat::Json,
                 "{\"a\": \"0xffffffffffffffff\", \"b\": true, \"c\": null, \"d\": -5}")}) {
        std::string out;
        TableWriter writer(format,
            [&out](std::string_view bytes) {
                out += bytes;
                return true;
            },
            "rows", {"a", "b", "c", "d"});
        writer.address(~std::uint64_t{0});
        writer.boolean(true);
        writer.number(std::nullopt);
        writer.number(-5);
        writer.finish();
        EXPECT_NE(out.find(expected), std::string::npos) << out;
    }
}

TEST(TableWriter, GivesRowsToTheSinkInPieces)
{
    std::size_t largest = 0;
    std::size_t pieces = 0;
    TableWriter writer(TableFormat::Csv,
        [&](std::string_view bytes) {
            largest = std::max(largest, bytes.size());
            ++pieces;
            return true;
        },
        "rows", {"text"});
    for (int i = 0; i < 100'000; ++i)
        writer.text("twelve bytes");
    EXPECT_TRUE(writer.finish());
    EXPECT_GT(pieces, 10u);
    EXPECT_LT(largest, 100'000u);
}

TEST(TableWriter, StopsWhenTheSinkRefuses)
{
    int pieces = 0;
    TableWriter writer(TableFormat::Csv,
        [&pieces](std::string_view) {
            ++pieces;
            return false;
        },
        "rows", {"text"});
    for (int i = 0; i < 100'000; ++i)
        writer.text("twelve bytes");
    EXPECT_TRUE(writer.stopped());
    EXPECT_FALSE(writer.finish());
    EXPECT_EQ(pieces, 1);
}

} // namespace highwater
