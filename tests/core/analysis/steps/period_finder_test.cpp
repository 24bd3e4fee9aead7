#include "core/analysis/steps/period_finder.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"

namespace highwater {

namespace {

using Sequence = std::vector<std::uint64_t>;

Sequence counting(std::uint64_t first, std::size_t count)
{
    Sequence out(count);
    std::iota(out.begin(), out.end(), first);
    return out;
}

void append(Sequence& to, const Sequence& more, int times = 1)
{
    for (int i = 0; i < times; ++i)
        to.insert(to.end(), more.begin(), more.end());
}

} // namespace

TEST(PeriodFinder, FindsWhatRepeats)
{
    Sequence sequence;
    append(sequence, counting(0, 50), 6);
    const auto found = findPeriod(sequence);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->period, 50u);
    EXPECT_EQ(found->begin, 0u);
    EXPECT_EQ(found->end, 300u);
    EXPECT_EQ(found->mismatches, 0u);
}

TEST(PeriodFinder, LeavesAnotherBeginningAndEndOut)
{
    Sequence sequence = counting(1'000, 70);
    append(sequence, counting(0, 50), 4);
    append(sequence, counting(2'000, 30));
    const auto found = findPeriod(sequence);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->period, 50u);
    EXPECT_EQ(found->begin, 70u);
    EXPECT_EQ(found->end, 270u);
}

TEST(PeriodFinder, PrefersStepsToTheLayersInThem)
{
    Sequence step;
    append(step, counting(0, 20), 8);
    append(step, counting(500, 60));
    Sequence sequence;
    append(sequence, step, 5);
    const auto found = findPeriod(sequence);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->period, 220u);
}

TEST(PeriodFinder, BearsFewDifferences)
{
    Sequence sequence;
    append(sequence, counting(0, 100), 6);
    sequence[250] = 9'999;
    const auto found = findPeriod(sequence);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->period, 100u);
    EXPECT_EQ(found->mismatches, 2u);
}

TEST(PeriodFinder, FindsNothingInNoise)
{
    test::Random random(7);
    Sequence sequence(500);
    for (std::uint64_t& element : sequence)
        element = static_cast<std::uint64_t>(random.below(1'000'000));
    EXPECT_FALSE(findPeriod(sequence));
    EXPECT_FALSE(findPeriod({}));
    EXPECT_FALSE(findPeriod(Sequence(200, 7)));
}

} // namespace highwater
