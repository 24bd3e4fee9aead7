#include "core/analysis/usage/matching_range.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Returns two events one second apart, the first at `begin` microseconds.
std::shared_ptr<const Trace> traceAt(std::int64_t begin)
{
    return test::traceFromText("alloc a 10 t=" + std::to_string(begin)
        + "\nalloc b 10 t=" + std::to_string(begin + 1'000'000) + "\nend");
}

constexpr double kSecond = 1e9;

} // namespace

TEST(MatchingRange, IsTheSameTimeOfTheClock)
{
    const auto from = traceAt(5'000'000);
    const auto to = traceAt(4'750'000);
    const auto [begin, end] = matchingRange(EventScale(*from, 0, AxisKind::Time),
        EventScale(*to, 0, AxisKind::Time), 0.25 * kSecond, 0.5 * kSecond);
    EXPECT_DOUBLE_EQ(begin, 0.5 * kSecond);
    EXPECT_DOUBLE_EQ(end, 0.75 * kSecond);
}

TEST(MatchingRange, IsTheSameShareWhereTheTimesAreApart)
{
    const auto from = traceAt(5'000'000);
    const auto to = traceAt(90'000'000);
    const auto [begin, end] = matchingRange(EventScale(*from, 0, AxisKind::Time),
        EventScale(*to, 0, AxisKind::Time), 0.25 * kSecond, 0.5 * kSecond);
    EXPECT_DOUBLE_EQ(begin, 0.25 * kSecond);
    EXPECT_DOUBLE_EQ(end, 0.5 * kSecond);
}

TEST(MatchingRange, ByEventIsTheSameShare)
{
    const auto from = test::traceFromText("alloc a 1\nalloc b 1\nalloc c 1\nend");
    const auto to = test::traceFromText("alloc a 1\nalloc b 1\nalloc c 1\nalloc d 1\nalloc e 1\n"
                                        "alloc f 1\nalloc g 1\nend");
    const auto [begin, end]
        = matchingRange(EventScale(*from, 0, AxisKind::Event), EventScale(*to, 0, AxisKind::Event), 1, 3);
    EXPECT_DOUBLE_EQ(begin, 3); // [-1, 3) to [-1, 7)
    EXPECT_DOUBLE_EQ(end, 7);
}

} // namespace highwater
