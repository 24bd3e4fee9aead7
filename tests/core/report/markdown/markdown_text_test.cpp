#include "core/report/markdown/markdown_text.h"

#include <random>

#include <gtest/gtest.h>

#include "core/report/model/rich_text.h"

namespace highwater {

namespace {

/// Returns the visible text of a Markdown paragraph; markup other than code becomes "!".
std::string seen(const std::string& markdown)
{
    std::string all;
    for (const RichBlock& block : parseRichText(markdown)) {
        all += block.kind == RichBlockKind::Paragraph ? "" : "!";
        for (const RichSpan& span : block.spans)
            all += (span.strong || span.emphasis || span.struck || !span.link.empty() ? "!" : "") + span.text;
    }
    return all;
}

/// Removes spaces at the ends and repeated spaces between words.
std::string spaced(const std::string& text)
{
    std::string out;
    for (const char c : text)
        if (c != ' ' || (!out.empty() && out.back() != ' '))
            out += c;
    while (out.ends_with(' '))
        out.pop_back();
    return out;
}

/// Removes the invisible comments between two code spans.
std::string withoutComments(std::string text)
{
    const std::string comment = "<!-- -->";
    for (std::size_t at = text.find(comment); at != std::string::npos; at = text.find(comment))
        text.erase(at, comment.size());
    return text;
}

} // namespace

TEST(MarkdownText, ReadsBackAsItWas)
{
    for (const std::string text : {"a", "<script>alert(1)</script>", "a|b", "`code`", "**not bold**",
             "__init__", "~~x~~", "[x](javascript:alert(1))", "![x](https://example.org/x.png)",
             "# no heading", "- no item", "1. no item", "12) no item", "> no quote", "---", "===", "***",
             "+ x", "-5 GiB", "&amp; & &#60;", "$x$", "\\*", "a\\", "``x`", "@alice", "#123", "GH-7",
             "owner/repo#1", ":tada:", "https://example.org/a_b", "www.example.org", "a@example.org",
             "deadbeef1", "\\|", "```", "~~~", "    code", "<!-- x -->", "torch::autograd::x", "1.5", "2) "})
        EXPECT_EQ(seen(markdownText(text)), spaced(text)) << markdownText(text);
}

TEST(MarkdownText, MakesCodeOfNoPlaceInBrackets)
{
    EXPECT_EQ(markdownText("in (model.py:39): x"), "in (model.py:39): x");
}

TEST(MarkdownText, ReadsBackAsItWasForAnyText)
{
    static constexpr std::string_view kCharacters = "ab1 <>|`*_~[]()!#@&;:\\-+=.$\"'/w";
    std::mt19937 random(1);
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (std::size_t length = random() % 12; length > 0; --length)
            text += kCharacters[random() % kCharacters.size()];
        ASSERT_EQ(withoutComments(seen(markdownText(text))), spaced(text))
            << "of '" << text << "': " << markdownText(text);
    }
}

TEST(MarkdownText, MakesCodeOfWhatGitHubLinks)
{
    for (const char* word : {"@alice", "me@example.org", "#123", "gh-12", "https://example.org",
             "WWW.example.org", "0123abc", ":+1:", "mailto:a"})
        EXPECT_EQ(markdownText(word), "`" + std::string(word) + "`");
}

TEST(MarkdownText, LeavesUsualWordsReadable)
{
    for (const char* text :
        {"21.26 GiB (−14.5 %)", "8 × 174 × 50,257 × 2 B", "train.py:12 step", "-5 GiB", "12:30"})
        EXPECT_EQ(markdownText(text), text);
}

TEST(MarkdownText, KeepsLinesApart)
{
    EXPECT_EQ(markdownText("\na\r\n- b\n"), "a<br>- b");
}

TEST(MarkdownText, KeepsBarsOfACellFromEndingIt)
{
    EXPECT_EQ(markdownText("a|b", MarkdownPlace::Cell), "a\\|b");
    EXPECT_EQ(markdownText("a|@b", MarkdownPlace::Cell), "`a\\|@b`");
    EXPECT_EQ(markdownText("a\\|@b", MarkdownPlace::Cell), "<code>a&#92;&#124;&#64;b</code>");
}

TEST(MarkdownFence, IsLongerThanAnyInTheText)
{
    EXPECT_EQ(markdownFence("a"), "```\na\n```\n");
    EXPECT_EQ(markdownFence("```\n````"), "`````\n```\n````\n`````\n");
}

} // namespace highwater
