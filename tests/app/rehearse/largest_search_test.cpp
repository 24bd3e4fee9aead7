#include "app/rehearse/largest_search.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

namespace highwater::rehearse {

namespace {

using Peak = std::function<Bytes(std::int64_t)>;

/// Searches a run whose peak follows from the number, and returns the search at its end.
LargestSearch searched(std::int64_t last, Bytes capacity, const Peak& peak)
{
    LargestSearch search(1, last, capacity);
    while (const auto number = search.next()) {
        const Bytes reserved = peak(*number);
        search.add({*number, reserved <= capacity, std::min(reserved, capacity)});
    }
    return search;
}

void expectPair(const LargestSearch& search, std::int64_t fitting)
{
    ASSERT_TRUE(search.largestFitting() && search.smallestFailing());
    EXPECT_EQ(search.largestFitting()->number, fitting);
    EXPECT_EQ(search.smallestFailing()->number, fitting + 1);
}

} // namespace

TEST(LargestSearch, AnswersWithAPairOfNeighbours)
{
    const std::vector<std::pair<Bytes, Peak>> runs{
        {1000, [](std::int64_t n) { return 100 + 7 * n; }},
        {1000, [](std::int64_t n) { return 100 + n * n; }},
        {1000, [](std::int64_t n) { return 100 + 200 * (n / 10); }},
        {1000, [](std::int64_t n) { return n < 300 ? 100 : 2000; }},
    };
    for (const auto& [capacity, peak] : runs) {
        std::int64_t truth = 1;
        while (peak(truth + 1) <= capacity)
            ++truth;
        expectPair(searched(512, capacity, peak), truth);
    }
}

TEST(LargestSearch, NeedsFewTrialsWhereMemoryGrowsEvenly)
{
    const LargestSearch search = searched(4096, 24'000, [](std::int64_t n) { return 3000 + 61 * n; });
    EXPECT_LE(search.trials().size(), 6u);
}

TEST(LargestSearch, IsNotMisledByNumbersSoSmallThatTheOptimizerMakesThePeak)
{
    const LargestSearch search
        = searched(1024, 22'900, [](std::int64_t n) { return std::max<Bytes>(1840 + n, 1300 + 111 * n); });
    expectPair(search, 194);
    EXPECT_LE(search.trials().size(), 8u);
}

TEST(LargestSearch, NeedsNoMoreThanTwiceTheHalvingsWhereMemoryJumps)
{
    for (std::int64_t jump = 2; jump <= 512; ++jump) {
        const LargestSearch search
            = searched(512, 1000, [jump](std::int64_t n) { return n < jump ? 10 + n % 7 : Bytes{5000}; });
        EXPECT_LE(search.trials().size(), 20u) << jump;
        EXPECT_EQ(search.largestFitting()->number, jump - 1);
    }
}

TEST(LargestSearch, HasNoAnswerWhereEvenTheFirstDoesNotFit)
{
    const LargestSearch search = searched(512, 100, [](std::int64_t) { return 200; });
    EXPECT_FALSE(search.largestFitting());
    EXPECT_EQ(search.trials().size(), 1u);
}

TEST(LargestSearch, TriesTheWholeRangeWhereAllFit)
{
    const LargestSearch search = searched(512, 1000, [](std::int64_t n) { return n; });
    EXPECT_EQ(search.largestFitting()->number, 512);
    EXPECT_FALSE(search.smallestFailing());
}

TEST(NumberRange, ReadsANameAndTwoNumbers)
{
    const auto range = parseNumberRange("batch=4:512");
    ASSERT_TRUE(range);
    EXPECT_EQ(range->name, "batch");
    EXPECT_EQ(range->first, 4);
    EXPECT_EQ(range->last, 512);
    for (const char* const text :
        {"", "batch", "batch=4", "batch=4:", "=4:5", "batch=0:5", "batch=6:5", "b=1:5x", "b=-1:5", "b=1.5:2"})
        EXPECT_FALSE(parseNumberRange(text)) << text;
}

TEST(NumberRange, ReplacesEveryPlaceholder)
{
    EXPECT_EQ(commandWith({"python", "t.py", "--batch={b}", "{b}-{b}", "{c}"}, "b", 12),
        (std::vector<std::string>{"python", "t.py", "--batch=12", "12-12", "{c}"}));
}

} // namespace highwater::rehearse
