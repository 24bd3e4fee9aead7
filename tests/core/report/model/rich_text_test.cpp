#include "core/report/model/rich_text.h"

#include <gtest/gtest.h>

#include "core/run/note.h"

namespace highwater {

namespace {

using enum RichBlockKind;

RichBlock paragraph(std::vector<RichSpan> spans)
{
    return {.kind = Paragraph, .spans = std::move(spans)};
}

std::size_t depthOf(const RichText& text)
{
    std::size_t deepest = 0;
    for (const RichBlock& block : text)
        deepest = std::max(deepest, 1 + depthOf(block.blocks));
    return deepest;
}

std::string plainText(const RichText& text)
{
    std::string all;
    for (const RichBlock& block : text) {
        for (const RichSpan& span : block.spans)
            all += span.text;
        all += plainText(block.blocks);
    }
    return all;
}

std::string linkOf(const std::string& markdown)
{
    const RichText text = parseRichText(markdown);
    return text.at(0).spans.at(0).link;
}

} // namespace

TEST(RichText, OfNothingIsEmpty)
{
    EXPECT_TRUE(parseRichText("").empty());
    EXPECT_TRUE(parseRichText(" \n\n ").empty());
}

TEST(RichText, HoldsTheMarksOfSpans)
{
    EXPECT_EQ(parseRichText("a **b** *c* ~~d~~ `e` ***f***"),
        (RichText{paragraph({{.text = "a "}, {.text = "b", .strong = true}, {.text = " "},
            {.text = "c", .emphasis = true}, {.text = " "}, {.text = "d", .struck = true}, {.text = " "},
            {.text = "e", .code = true}, {.text = " "}, {.text = "f", .strong = true, .emphasis = true}})}));
}

TEST(RichText, HoldsListsWithTheirItems)
{
    EXPECT_EQ(parseRichText("3. one\n4. two\n   - in it\n"),
        (RichText{{.kind = Numbers,
            .level = 3,
            .blocks = {{.kind = Item, .blocks = {paragraph({{.text = "one"}})}},
                {.kind = Item,
                    .blocks = {paragraph({{.text = "two"}}),
                        {.kind = Bullets,
                            .blocks = {{.kind = Item, .blocks = {paragraph({{.text = "in it"}})}}}}}}}}}));
}

TEST(RichText, HoldsQuotesHeadingsRulesAndCode)
{
    EXPECT_EQ(parseRichText("## h\n\n> q\n\n---\n\n```py\na\n\n b\n```\n"),
        (RichText{{.kind = Heading, .level = 2, .spans = {{.text = "h"}}},
            {.kind = Quote, .blocks = {paragraph({{.text = "q"}})}}, {.kind = Rule},
            {.kind = Code, .spans = {{.text = "a\n\n b"}}}}));
}

TEST(RichText, TellsBreaksOfLinesFromSpaces)
{
    EXPECT_EQ(parseRichText("a\nb  \nc"), (RichText{paragraph({{.text = "a b\nc"}})}));
}

TEST(RichText, DecodesUsualEntitiesAndKeepsOthers)
{
    EXPECT_EQ(plainText(parseRichText("&lt;b&gt; &amp; &#60; &#x1F600; &nosuch; &#0; &#xD800;")),
        "<b> & < 😀 &nosuch; \xEF\xBF\xBD \xEF\xBF\xBD");
}

TEST(RichText, ShowsTagsAsText)
{
    EXPECT_EQ(plainText(parseRichText("<script>alert(1)</script>\n\n<div onclick=x>y</div> a <b>c</b>")),
        "<script>alert(1)</script><div onclick=x>y</div> a <b>c</b>");
}

TEST(RichText, LinksToPagesLettersAndAnchorsAlone)
{
    EXPECT_EQ(linkOf("[x](https://example.org/a?b=1&c=2)"), "https://example.org/a?b=1&c=2");
    EXPECT_EQ(linkOf("[x](HTTP://example.org)"), "HTTP://example.org");
    EXPECT_EQ(linkOf("[x](mailto:a@example.org)"), "mailto:a@example.org");
    EXPECT_EQ(linkOf("[x](#note-3)"), "#note-3");
    for (const char* bad :
        {"[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](&#106;avascript:alert(1))",
            "[x](java&#10;script:alert)", "[x](data:text/html,y)", "[x](file:///etc/passwd)",
            "[x](vbscript:y)", "[x](//example.org)", "[x](/a)", "[x](a.html)", "<javascript:alert(1)>"})
        EXPECT_EQ(linkOf(bad), "") << bad;
}

TEST(RichText, ShowsAnImageAsItsText)
{
    EXPECT_EQ(parseRichText("a ![the *plot*](https://example.org/x.png)"),
        (RichText{paragraph({{.text = "a the "}, {.text = "plot", .emphasis = true}})}));
}

TEST(RichText, KeepsAllTextBeyondTheDeepestNesting)
{
    std::string quotes(500, '>');
    const RichText text = parseRichText(quotes + " deep");
    EXPECT_EQ(plainText(text), "deep");
    EXPECT_LE(depthOf(text), kDeepestRichText + 1);
    std::string lists;
    for (int i = 0; i < 100; ++i)
        lists += std::string(static_cast<std::size_t>(2 * i), ' ') + "- a\n";
    EXPECT_LE(depthOf(parseRichText(lists)), 2 * kDeepestRichText + 1);
}

TEST(RichText, SaysWhatIsCutAwayAtTheEnd)
{
    std::string written(kMaxNoteTextBytes - 1, 'x');
    written += "é tail";
    const RichText text = parseRichText(written);
    EXPECT_EQ(text.at(0).spans.at(0).text.size(), kMaxNoteTextBytes - 1);
    EXPECT_EQ(plainText({text.back()}), "The rest of the text (7 B) is omitted.");
}

TEST(RichText, ReadsWhateverIsRepeated)
{
    for (const char* piece :
        {"[", "*a ", "`", "> ", "- ", "![", "&", "<", "~~", "\\", "[a](", "1. ", "|a", "#", "\xff"}) {
        std::string text;
        while (text.size() < kMaxNoteTextBytes)
            text += piece;
        EXPECT_LE(plainText(parseRichText(text)).size(), 4 * text.size()) << piece;
    }
}

} // namespace highwater
