#include "core/report/markdown/markdown_report.h"

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "core/report/model/plain_text.h"
#include "tests/support/sample_reports.h"

namespace highwater {

namespace {

/// Counts the bars that separate cells.
std::size_t openBars(const std::string& line)
{
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
        if (line[i] == '\\')
            ++i;
        else if (line[i] == '|')
            ++bars;
    return bars;
}

/// Counts "<" that are not escaped, outside fenced code.
std::size_t openTags(const std::string& markdown)
{
    std::size_t tags = 0;
    bool isCode = false;
    for (const std::string& line : linesOf(markdown)) {
        isCode = line.starts_with("```") ? !isCode : isCode;
        for (std::size_t i = 0; i < line.size() && !isCode; ++i)
            if (line[i] == '\\')
                ++i;
            else if (line[i] == '<')
                ++tags;
    }
    return tags;
}

Table tableOf(std::size_t rows, const std::string& text)
{
    Table table;
    table.id = "t";
    table.columns = {{text, "a"}, {"n", "n", true}};
    for (std::size_t i = 0; i < rows; ++i)
        table.rows.push_back({text, Amount{1}});
    return table;
}

std::string textOf(ReportBlock block)
{
    return toMarkdown(reportWith(std::move(block)), "").text;
}

} // namespace

TEST(MarkdownReport, HasTheVerdictBelowItsTitle)
{
    const Report report = usualReport();
    const std::string begin = "# " + report.title + "\n\n> " + report.verdict.substr(0, 20);
    EXPECT_TRUE(toMarkdown(report, "").text.starts_with(begin)) << begin;
}

TEST(MarkdownReport, NamesTheFilesOfItsFigures)
{
    const MarkdownReport report = toMarkdown(usualReport(), "my figures");
    ASSERT_EQ(report.figures.size(), 1u);
    EXPECT_EQ(report.figures[0].first, "timeline.svg");
    EXPECT_TRUE(report.figures[0].second.starts_with("<?xml"));
    EXPECT_TRUE(contains(report.text, ", with the notes.](my%20figures/timeline.svg)"))
        << "the alternative text is the caption";
}

TEST(MarkdownReport, NamesFiguresOfOneIdApart)
{
    Report report = reportWith(ReportFigure{"../x/y", "", {}, {}});
    report.sections[0].blocks.push_back(report.sections[0].blocks[0]);
    const MarkdownReport markdown = toMarkdown(report, "");
    ASSERT_EQ(markdown.figures.size(), 2u);
    EXPECT_EQ(markdown.figures[0].first, "x-y.svg");
    EXPECT_EQ(markdown.figures[1].first, "x-y-2.svg");
}

TEST(MarkdownReport, HasTheElementsThatItWritesItselfAlone)
{
    const std::size_t own = openTags(toMarkdown(reportOf("x"), "").text);
    EXPECT_GT(own, 0u);
    for (const std::string hostile :
        {"<script>alert(1)</script>", "</details></summary>", "--><svg onload=alert(1)>", "<img src=x>"})
        EXPECT_EQ(openTags(toMarkdown(reportOf(hostile), "").text), own) << hostile;
}

TEST(MarkdownReport, DividesCellsByItsOwnBarsAlone)
{
    for (const std::string hostile : {"a|b", "\\|", "a\\\\|b", "|", "`a|b`", "x\ny|"}) {
        int rows = 0;
        for (const std::string& line : linesOf(textOf(tableOf(2, hostile))))
            if (line.starts_with('|')) {
                ++rows;
                EXPECT_EQ(openBars(line), 3) << line;
            }
        EXPECT_GE(rows, 3) << hostile << ": head, rule and a row";
    }
}

TEST(MarkdownReport, FoldsLongTablesAndQuotesAway)
{
    EXPECT_FALSE(contains(textOf(tableOf(12, "a")), "<details>"));
    EXPECT_TRUE(contains(textOf(tableOf(13, "a")), "<details>\n<summary>13 rows</summary>\n\n| a | n |\n"));
    std::string quote;
    for (int i = 0; i < 13; ++i)
        quote += "line\n";
    EXPECT_TRUE(contains(textOf(ReportQuote{quote, "log"}), "<details>"));
}

TEST(MarkdownReport, FoldsStacksWithinTheirCell)
{
    EXPECT_TRUE(
        contains(textOf(tableOf(1, "a\nb\nc\nd")), "<details><summary>a</summary>b<br>c<br>d</details>"));
}

TEST(MarkdownReport, QuotesWhateverFencesAQuoteHolds)
{
    EXPECT_TRUE(contains(textOf(ReportQuote{"```\n</details>", ""}), "\n````\n```\n</details>\n````\n"));
}

} // namespace highwater
