#include "core/report/model/plain_text.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(ShownText, KeepsLinesAndTabs)
{
    EXPECT_EQ(shownText("a\r\nb\rc\n\td\n"), "a\nb\nc\n\td\n");
    EXPECT_EQ(shownText(""), "");
}

TEST(ShownText, ReplacesWhatControlsAndTurns)
{
    EXPECT_EQ(shownText("a\x1b\u202E\u2066z\xff"), "a\uFFFD\uFFFD\uFFFDz\uFFFD");
    EXPECT_EQ(shownText("–…€\u2028"), "–…€\uFFFD");
}

TEST(LinesOf, HasOneAtLeast)
{
    EXPECT_EQ(linesOf(""), std::vector<std::string>{""});
    EXPECT_EQ(linesOf("a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
}

TEST(AnchorText, HoldsLettersDigitsAndHyphens)
{
    EXPECT_EQ(anchorText("Peak by Stack (1)!"), "peak-by-stack-1");
    EXPECT_EQ(anchorText("../../etc/passwd"), "etc-passwd");
    EXPECT_EQ(anchorText("\"><script>"), "script");
    EXPECT_EQ(anchorText("…"), "unnamed");
    EXPECT_EQ(anchorText(std::string(1000, 'x')).size(), 80u);
}

} // namespace highwater
