#include "core/analysis/diff/matching/line_classes.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace highwater {

namespace {

using SourceLines = std::vector<SourceLine>;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

SourceLines someLines(std::mt19937& random, int last, int oneIn, int functions)
{
    SourceLines lines;
    for (std::int32_t line = 1; line <= last; ++line)
        if (random() % static_cast<unsigned>(oneIn) == 0)
            lines.push_back({line, static_cast<std::uint32_t>(line * functions / (last + 1))});
    return lines;
}

/// Applies the rule literally, at any cost: repeatedly uses the distance with the most pairs that are still
/// possible. If distances have equally many, the shorter one wins, then the negative one.
Pairs matchedByTheRule(const SourceLines& before, const SourceLines& after)
{
    std::map<std::uint32_t, std::uint32_t> made;
    std::set<std::uint32_t> taken;
    const auto fits = [&](std::uint32_t i, std::uint32_t j) {
        return !made.contains(i) && !taken.contains(j)
            && std::all_of(made.begin(), made.end(),
                [&](const auto& pair) { return (pair.first < i) == (pair.second < j); });
    };
    for (;;) {
        std::map<std::int32_t, Pairs> free;
        for (std::uint32_t i = 0; i < before.size(); ++i)
            for (std::uint32_t j = 0; j < after.size(); ++j)
                if (before[i].function == after[j].function && fits(i, j))
                    free[after[j].line - before[i].line].emplace_back(i, j);
        const auto best = std::min_element(free.begin(), free.end(), [](const auto& a, const auto& b) {
            return a.second.size() != b.second.size() ? a.second.size() > b.second.size()
                                                      : std::abs(a.first) < std::abs(b.first);
        });
        if (best == free.end())
            return {made.begin(), made.end()};
        for (const auto& [i, j] : best->second) {
            made[i] = j;
            taken.insert(j);
        }
    }
}

Pairs everyLineOf(const SourceLines& lines)
{
    Pairs pairs;
    for (std::uint32_t i = 0; i < lines.size(); ++i)
        pairs.emplace_back(i, i);
    return pairs;
}

SourceLines moved(SourceLines lines, std::int32_t by)
{
    for (SourceLine& line : lines)
        line.line += by;
    return lines;
}

} // namespace

TEST(MatchLines, FindsEveryLineBelowAnInsertionAtTheTop)
{
    const SourceLines before = {{10, 0}, {20, 0}, {30, 1}, {40, 1}};
    const SourceLines after = {{20, 0}, {30, 0}, {40, 1}, {50, 1}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
}

TEST(MatchLines, FindsLinesOnBothSidesOfAnInsertionInTheMiddle)
{
    const SourceLines before = {{10, 0}, {11, 0}, {12, 0}, {40, 1}, {41, 1}};
    const SourceLines after = {{10, 0}, {11, 0}, {12, 0}, {47, 1}, {48, 1}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}));
}

TEST(MatchLines, LeavesALineAloneThatOnlyOneRunReached)
{
    const SourceLines before = {{10, 0}, {11, 0}, {30, 0}};
    const SourceLines after = {{10, 0}, {30, 0}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{0, 0}, {2, 1}}));
}

TEST(MatchLines, NeverCrossesLines)
{
    // Line 20 stays. 10 was before it and 30 is after it, so they cannot be the same line.
    const SourceLines before = {{10, 0}, {20, 0}, {21, 0}};
    const SourceLines after = {{20, 0}, {21, 0}, {30, 0}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{1, 0}, {2, 1}}));
}

TEST(MatchLines, NeverMatchesLinesOfDifferentFunctions)
{
    EXPECT_TRUE(matchLines({{10, 0}}, {{10, 1}}).empty());
}

TEST(MatchLines, FollowsTheRule)
{
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
        const int functions = 1 + i % 4;
        const SourceLines one = someLines(random, 40, 2 + i % 3, functions);
        const SourceLines other = someLines(random, 40, 2 + i % 2, functions);
        if (one < other) {
            EXPECT_EQ(matchLines(one, other), matchedByTheRule(one, other)) << i;
        }
    }
}

TEST(MatchLines, FindsALongFunctionThatIsTheSameInBothRuns)
{
    std::mt19937 random(3);
    const SourceLines lines = someLines(random, 5'000, 2, 1);
    EXPECT_GT(lines.size(), 2'000u);
    EXPECT_EQ(matchLines(lines, lines), everyLineOf(lines));
}

TEST(MatchLines, FindsTwoThousandLinesThatMoved)
{
    std::mt19937 random(4);
    SourceLines lines = someLines(random, 5'000, 2, 1);
    lines.resize(2'000);
    EXPECT_EQ(matchLines(lines, moved(lines, 17)), everyLineOf(lines));
}

TEST(MatchLines, KeepsTheOrderOfTwoThousandLinesWithNothingInCommon)
{
    std::mt19937 random(5);
    SourceLines one = someLines(random, 1'000'000, 450, 1);
    SourceLines other = someLines(random, 1'000'000, 450, 1);
    one.resize(2'000);
    other.resize(2'000);
    const Pairs pairs = matchLines(one, other);
    EXPECT_GT(pairs.size(), 500u);
    for (std::size_t i = 1; i < pairs.size(); ++i) {
        EXPECT_LT(pairs[i - 1].first, pairs[i].first);
        EXPECT_LT(pairs[i - 1].second, pairs[i].second);
    }
}

TEST(MatchLines, OfGeneratedCodeFindsWhatHasNotMoved)
{
    SourceLines one;
    SourceLines other;
    for (std::int32_t line = 1; line <= 100'000; ++line) {
        one.push_back({line, 0});
        if (line % 3 != 0)
            other.push_back({line, 0});
    }
    const Pairs pairs = matchLines(one, other);
    EXPECT_EQ(pairs.size(), other.size());
    for (const auto& [i, j] : pairs)
        ASSERT_EQ(one[i].line, other[j].line);
}

TEST(MatchLines, AnswersTheSameWithTheRunsExchanged)
{
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
        const SourceLines one = someLines(random, 40, 3, 3);
        const SourceLines other = someLines(random, 40, 3, 3);
        Pairs back = matchLines(other, one);
        for (auto& [a, b] : back)
            std::swap(a, b);
        EXPECT_EQ(matchLines(one, other), back);
    }
}

TEST(MatchLines, MatchesLinesThatCallTheSameFirst)
{
    // The second of three lines was removed; the last two have moved up.
    const SourceLines before = {{8, 1, 0b001}, {10, 1, 0b010}, {11, 1, 0b100}, {12, 1, 0b1000}};
    const SourceLines after = {{8, 1, 0b001}, {10, 1, 0b100}, {11, 1, 0b1000}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{0, 0}, {2, 1}, {3, 2}}));
    EXPECT_EQ(matchLines(after, before), (Pairs{{0, 0}, {1, 2}, {2, 3}}));
}

TEST(MatchLines, MatchesLinesThatCallSomethingElseBetweenThem)
{
    const SourceLines before = {{8, 1, 0b001}, {10, 1, 0b010}, {12, 1, 0b100}};
    const SourceLines after = {{9, 1, 0b001}, {10, 1, 0b1000}, {13, 1, 0b100}};
    EXPECT_EQ(matchLines(before, after), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
}

} // namespace highwater
