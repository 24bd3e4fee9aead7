#include "core/report/html/html_report.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "tests/support/html_tokens.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_reports.h"

namespace highwater {

namespace {

std::vector<HtmlToken> tokensOf(const Report& report)
{
    return htmlTokens(toHtml(report));
}

std::vector<HtmlToken> elements(const std::vector<HtmlToken>& tokens, std::string_view name)
{
    std::vector<HtmlToken> found;
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(found),
        [&](const HtmlToken& token) { return token.kind == HtmlToken::Kind::Open && token.name == name; });
    return found;
}

Table amountsTable()
{
    Table table;
    table.id = "amounts";
    table.columns = {{"What", "what"}, {"Change", "delta_bytes", true}};
    table.rows = {{"a", Amount{-1536, AmountKind::ByteDelta}}, {"b", Amount{1536, AmountKind::ByteDelta}},
        {"c", Cell{}}};
    table.total = {"all", Amount{0, AmountKind::ByteDelta}};
    return table;
}

Report twoFindingsOf(const std::string& rule)
{
    Report report;
    report.title = "title";
    report.sections.push_back({ReportPart::Findings, "Findings", {}});
    for (const char* run : {"before", "after"}) {
        ReportFinding finding;
        finding.finding.rule = rule;
        finding.finding.title = "Memory grows";
        finding.run = run;
        report.sections.back().blocks.push_back(std::move(finding));
    }
    return report;
}

} // namespace

TEST(HtmlReport, MarksTheRowOfTheRestThatStaysLast)
{
    Table table = amountsTable();
    table.endsWithRest = true;
    Report report;
    report.sections.push_back({ReportPart::Peak, "Peak", {table}});
    const std::string html = toHtml(report);
    const std::size_t rest = html.find("<tr class=\"rest\">");
    ASSERT_NE(rest, std::string::npos);
    EXPECT_LT(html.find(">b<"), rest);
    EXPECT_LT(rest, html.find(">c<"));
}

TEST(HtmlReport, IsWellWrittenWithEveryKindOfBlock)
{
    const std::string text = htmlText(tokensOf(usualReport()));
    EXPECT_TRUE(contains(text, "R1 GRPO: before and after"));
    EXPECT_TRUE(contains(text, "sequence length other than 174"));
    EXPECT_TRUE(contains(text, "x = logits[:, -n:]"));
}

TEST(HtmlReport, HasTheSameElementsWhateverItsTextsHold)
{
    const std::string plain = htmlSkeleton(tokensOf(reportOf("x")));
    for (const std::string hostile : {"<script>alert(1)</script>", "</style></script></title>",
             "--><svg onload=alert(1)>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "]]>",
             "&lt;script&gt;", "<!-- ", "x\xff\x01\x7f", "\u202Etxt.exe", "[x](javascript:alert(1))",
             "![x](https://example.org/x.png)", "</svg></text></title>", "\\"}) {
        const std::vector<HtmlToken> tokens = tokensOf(reportOf(hostile));
        EXPECT_EQ(htmlSkeleton(tokens), plain) << hostile;
    }
}

TEST(HtmlReport, FoldsWhatEachRuleMeansOnceIntoThePage)
{
    const Report report = twoFindingsOf("growth");
    const std::vector<HtmlToken> tokens = tokensOf(report);
    EXPECT_EQ(elements(tokens, "details").size(), 1u);
    EXPECT_EQ(elements(tokens, "h4").size(), 5u);
    EXPECT_TRUE(contains(htmlText(tokens), "When it is silent"));
    const std::string html = toHtml(report);
    EXPECT_TRUE(contains(html, "id=\"meaning-growth\""));
    EXPECT_TRUE(contains(html, "href=\"#meaning-growth\""));
}

TEST(HtmlReport, ShowsTagsAsTheyAreWritten)
{
    const std::string tag = "<script>alert('1' & \"2\")</script>";
    const std::string text = htmlText(tokensOf(reportOf(tag)));
    std::size_t shown = 0;
    for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag, at + 1))
        ++shown;
    EXPECT_GE(shown, 30u);
    EXPECT_FALSE(contains(toHtml(reportOf(tag)), "<script>alert"));
}

TEST(HtmlReport, TurnsNoDirectionAndHoldsNoControlCharacter)
{
    const std::string html = toHtml(reportOf("a\x01\x1b[31m\xff\u202E\u2066z"));
    EXPECT_EQ(
        std::count_if(html.begin(), html.end(), [](char c) { return c >= 0 && c < 0x20 && c != '\n'; }), 0);
    const std::string text = htmlText(htmlTokens(html));
    EXPECT_TRUE(contains(text, "a\uFFFD\uFFFD[31m\uFFFD\uFFFD\uFFFDz"));
}

TEST(HtmlReport, FetchesNothing)
{
    const std::string html = toHtml(usualReport());
    for (const char* outside : {"src=", "url(\"", "url('", "url(h", "@import", "<link", "<iframe", "fetch(",
             "XMLHttpRequest", "xlink"})
        EXPECT_FALSE(contains(html, outside)) << outside;
    EXPECT_TRUE(contains(html, "content=\"default-src &#39;none&#39;;"));
}

TEST(HtmlReport, LinksOnlyWithinItselfAndWhereNotesMay)
{
    Note note;
    note.text = "[a](https://example.org) [b](javascript:alert(1)) [c](#note-1) [d](data:text/html,x)";
    const Report report = reportWith(ReportNote{1, "", note});
    std::vector<std::string> targets;
    for (const HtmlToken& link : elements(tokensOf(report), "a"))
        targets.push_back(link.attribute("href"));
    EXPECT_EQ(targets, (std::vector<std::string>{"https://example.org", "#note-1"}));
}

TEST(HtmlReport, HasUniqueIdsThatItsLinksLeadTo)
{
    Report report = usualReport();
    report.sections.push_back(report.sections.front());
    report.sections.push_back(report.sections[2]);
    const std::vector<HtmlToken> tokens = tokensOf(report);
    std::multiset<std::string> ids;
    for (const HtmlToken& token : tokens)
        if (const std::string id = token.attribute("id"); !id.empty())
            ids.insert(id);
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
    EXPECT_EQ(ids.count("note-1"), 1u);
    for (const HtmlToken& link : elements(tokens, "a")) {
        const std::string target = link.attribute("href");
        EXPECT_TRUE(!target.starts_with('#') || ids.count(target.substr(1)) == 1) << target;
    }
}

TEST(HtmlReport, HasHeadingsWithoutGaps)
{
    Report report = usualReport();
    Note note;
    note.text = "### three\n\n# one\n\n###### six\n";
    report.sections[0].blocks.emplace_back(ReportNote{3, "", note});
    int last = 0;
    for (const HtmlToken& token : tokensOf(report))
        if (token.kind == HtmlToken::Kind::Open && token.name.size() == 2 && token.name[0] == 'h'
            && token.name != "hr") {
            const int level = token.name[1] - '0';
            EXPECT_LE(level, last + 1);
            last = level;
        }
    EXPECT_GT(last, 0);
}

TEST(HtmlReport, HoldsRawAndExactAmountsOfATable)
{
    const std::vector<HtmlToken> cells = elements(tokensOf(reportWith(amountsTable())), "td");
    ASSERT_EQ(cells.size(), 4u);
    EXPECT_EQ(cells[0].attribute("data-value"), "-1536");
    EXPECT_EQ(cells[0].attribute("title"), "−1,536 B");
    EXPECT_EQ(cells[0].attribute("class"), "number shrank");
    EXPECT_EQ(cells[1].attribute("class"), "number grew");
    EXPECT_EQ(cells[2].attribute("data-value"), "");
    EXPECT_EQ(cells[3].attribute("class"), "number");
}

TEST(HtmlReport, SetsTheTotalApart)
{
    const std::string html = toHtml(reportWith(amountsTable()));
    EXPECT_TRUE(contains(html, "</tbody>\n<tfoot><tr><th scope=\"row\" class=\"text\">all</th>"));
}

TEST(HtmlReport, ExplainsTheGradesOnce)
{
    const std::string text = htmlText(tokensOf(usualReport()));
    const std::size_t first = text.find("it follows from the data");
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(text.find("it follows from the data", first + 1), std::string::npos);
}

TEST(HtmlReport, SaysWhatARemedySaves)
{
    const std::string text = htmlText(tokensOf(usualReport()));
    EXPECT_TRUE(test::hasParts(text, {"Next: ", "(logits_to_keep)", "aves at most 9 GiB"}));
}

TEST(HtmlReport, HoldsEachFigureWideAndNarrow)
{
    const std::vector<HtmlToken> drawings = elements(tokensOf(usualReport()), "svg");
    ASSERT_EQ(drawings.size(), 2u);
    EXPECT_EQ(drawings[0].attribute("viewBox"), "0 0 1200 560");
    EXPECT_EQ(drawings[1].attribute("viewBox"), "0 0 420 460");
    EXPECT_EQ(drawings[0].attribute("role"), "img");
}

TEST(HtmlReport, IsAboutAsLongAsItsLongestText)
{
    const std::string html = toHtml(reportWith(ReportQuote{std::string(1'000'000, 'x'), ""}));
    EXPECT_LT(html.size(), 1'100'000u);
}

TEST(HtmlReport, LetsTablesBeSortedWhoseColumnsHoldFiguresOfOneKind)
{
    const auto pageOf = [](Cell second) {
        Table table{"t", "A table", {{"Name", "name", false}, {"Value", "value", true}}, {}, {}, {}};
        table.rows = {{std::string("a"), Amount{1, AmountKind::ByteCount}}, {std::string("b"), second}};
        Report report;
        report.sections.push_back({ReportPart::Peak, "Peak", {table}});
        return toHtml(report);
    };
    EXPECT_TRUE(contains(pageOf(Amount{2, AmountKind::ByteCount}), "class=\"sortable\""));
    EXPECT_TRUE(contains(pageOf(Cell()), "class=\"sortable\""));
    EXPECT_FALSE(contains(pageOf(Amount{2, AmountKind::Count}), "class=\"sortable\""));
    EXPECT_FALSE(contains(pageOf(std::string("step 3")), "class=\"sortable\""));
}

} // namespace highwater
