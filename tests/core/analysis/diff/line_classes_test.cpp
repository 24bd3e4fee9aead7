#include "core/analysis/diff/line_classes.h"

#include <random>

#include <gtest/gtest.h>

namespace highwater {

namespace {

using Lines = std::vector<SourceLine>;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

} // namespace

TEST(MatchLines, FindsEveryLineBelowAnInsertionAtTheTop)
{
    const Lines before = {{10, 0}, {20, 0}, {30, 1}, {40, 1}};
    const Lines after = {{20, 0}, {30, 0}, {40, 1}, {50, 1}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
}

TEST(MatchLines, FindsLinesOnBothSidesOfAnInsertionInTheMiddle)
{
    const Lines before = {{10, 0}, {11, 0}, {12, 0}, {40, 1}, {41, 1}};
    const Lines after = {{10, 0}, {11, 0}, {12, 0}, {47, 1}, {48, 1}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}));
}

TEST(MatchLines, LeavesALineAloneThatOnlyOneRunReached)
{
    const Lines before = {{10, 0}, {11, 0}, {30, 0}};
    const Lines after = {{10, 0}, {30, 0}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{0, 0}, {2, 1}}));
}

TEST(MatchLines, NeverCrossesLines)
{
    // Line 20 stays; 10 was there before it, 30 is behind it: they are not one line.
    const Lines before = {{10, 0}, {20, 0}, {21, 0}};
    const Lines after = {{20, 0}, {21, 0}, {30, 0}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{1, 0}, {2, 1}}));
}

TEST(MatchLines, NeverMatchesLinesOfDifferentFunctions)
{
    EXPECT_TRUE(matchLines({{10, 0}}, {{10, 1}}).empty());
}

TEST(MatchLines, AnswersTheSameWithTheRunsExchanged)
{
    std::mt19937 random(1);
    const auto some = [&] {
        Lines lines;
        for (std::int32_t line = 1; line < 40; ++line)
            if (random() % 3 == 0)
                lines.push_back({line, static_cast<std::uint32_t>(line / 15)});
        return lines;
    };
    for (int i = 0; i < 300; ++i) {
        const Lines one = some();
        const Lines other = some();
        Pairs back = matchLines(other, one);
        for (auto& [a, b] : back)
            std::swap(a, b);
        EXPECT_EQ(matchLines(one, other), back);
    }
}

} // namespace highwater
