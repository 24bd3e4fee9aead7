#include "core/report/markdown/markdown_rich_text.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

std::string rewritten(const std::string& markdown)
{
    return toMarkdown(parseRichText(markdown), 0);
}

} // namespace

TEST(RichTextAsMarkdown, ReadsBackAsTheSame)
{
    for (const std::string text : {"a **b** *c* ~~d~~ `e` end", "[x](https://example.org/a?b=1&copy=2)",
             "- a\n- b\n  - c\n\n    d\n", "3. a\n4. b\n", "> a\n>\n> > b\n", "```\na\n\n`b`\n```\n",
             "````\n```\n````\n", "# h\n\n## i\n", "a\n\n---\n\nb", "- a\n\n  b\n\n- c",
             "1. - a\n   - b\n2. ```\n   x\n   ```\n", "\\*a\\* \\[x\\](y) \\<b\\>", "`` a`b ``", "- \n- b",
             "[`code`](#note-1) b", "> - a\n>   b\n", "a `b` c `d` e"})
        EXPECT_EQ(parseRichText(rewritten(text)), parseRichText(text)) << rewritten(text);
}

TEST(RichTextAsMarkdown, SetsTagsWhereMarksWouldNotBeSeen)
{
    EXPECT_EQ(rewritten("a**b**c"), "a<strong>b</strong>c\n");
    EXPECT_EQ(rewritten("***x*** **(y)**"), "<strong><em>x</em></strong> <strong>(y)</strong>\n");
}

TEST(RichTextAsMarkdown, KeepsTwoListsApart)
{
    EXPECT_EQ(rewritten("- a\n\n* b\n"), "- a\n\n<!-- -->\n\n- b\n");
}

TEST(RichTextAsMarkdown, ActsOnNothingThatGitHubKnows)
{
    EXPECT_EQ(rewritten("@alice #12 <b>x</b>"), "`@alice` `#12` \\<b\\>x\\</b\\>\n");
    EXPECT_EQ(rewritten("[x](javascript:alert(1))"), "x\n");
    EXPECT_EQ(rewritten("![plot](https://example.org/x.png)"), "plot\n");
}

TEST(RichTextAsMarkdown, PutsHeadingsBelowThoseAroundIt)
{
    EXPECT_EQ(toMarkdown(parseRichText("# a\n\n##### b\n"), 3), "#### a\n\n###### b\n");
}

} // namespace highwater
