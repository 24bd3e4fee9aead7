#include "core/run/clock.h"

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;
constexpr Nanoseconds kHour = 3600 * kSecond;
constexpr Nanoseconds kNoon = 1'790'000'000 * kSecond;

/// Returns a trace with one series from `begin` to `end`.
std::shared_ptr<const Trace> between(Nanoseconds begin, Nanoseconds end, Clock clock = Clock::Unix)
{
    auto trace = std::make_shared<Trace>();
    trace->metadata.clock = clock;
    CounterSeries series;
    series.time = {begin, end};
    series.value = {1, 2};
    trace->counters.push_back(series);
    return trace;
}

} // namespace

TEST(TimeRangeOfATrace, ReachesFromItsFirstToItsLastTime)
{
    EXPECT_EQ(timeRange(*between(5, 9)), (TimeRange{5, 9}));
}

TEST(TimeRangeOfATrace, PassesOverTimesThatTheFileDoesNotHave)
{
    EXPECT_EQ(timeRange(*between(0, 9)), (TimeRange{9, 9}));
    EXPECT_EQ(timeRange(*between(0, 0)), std::nullopt);
}

TEST(SuggestedOffset, IsNothingBetweenFilesThatTellTheTime)
{
    EXPECT_EQ(suggestedOffset(*between(kNoon, kNoon + 9), *between(kNoon + 100, kNoon + 200)), 0);
}

TEST(OffsetReason, SaysThatFilesOfDifferentTimesMayBeOfDifferentRuns)
{
    const std::string together = offsetReason(*between(kNoon, kNoon + 9), *between(kNoon + 5, kNoon + 200));
    EXPECT_FALSE(contains(together, "overlap")) << together;
    EXPECT_TRUE(test::hasParts(
        offsetReason(*between(kNoon, kNoon + 9), *between(kNoon + 100, kNoon + 200)), {"do not overlap"}));
}

TEST(SuggestedOffset, LetsFilesWithoutACommonClockBeginTogether)
{
    EXPECT_EQ(suggestedOffset(*between(kNoon, kNoon + 9), *between(7, 20, Clock::Own)), kNoon - 7);
}

TEST(SuggestedOffset, FindsTheZoneUnderWhichLocalTimesOverlapMost)
{
    const auto run = between(kNoon, kNoon + kHour);
    const auto log
        = between(kNoon + 5 * kHour + 30 * 60 * kSecond, kNoon + 6 * kHour + 30 * 60 * kSecond, Clock::Local);
    EXPECT_EQ(suggestedOffset(*run, *log), -(5 * kHour + kHour / 2));
    EXPECT_EQ(suggestedOffset(*log, *run), 5 * kHour + kHour / 2);
    EXPECT_NE(offsetReason(*run, *log).find("UTC+05:30"), std::string::npos) << offsetReason(*run, *log);
}

TEST(SuggestedOffset, TakesTheZoneNearestToUtcAmongEqualOnes)
{
    const auto run = between(kNoon, kNoon + 10 * kHour);
    EXPECT_EQ(suggestedOffset(*run, *between(kNoon + kHour, kNoon + 2 * kHour, Clock::Local)), 0);
}

TEST(SuggestedOffset, IsNothingBetweenTwoLogsInLocalTime)
{
    EXPECT_EQ(suggestedOffset(*between(kNoon, kNoon + 9, Clock::Local),
                  *between(kNoon + kHour, kNoon + 2 * kHour, Clock::Local)),
        0);
}

TEST(SuggestedOffset, IsUnknownWhereAFileTellsNoTimes)
{
    EXPECT_EQ(suggestedOffset(*between(0, 0), *between(kNoon, kNoon + 1)), std::nullopt);
    EXPECT_TRUE(test::hasParts(offsetReason(*between(0, 0), *between(kNoon, kNoon + 1)), {"no timestamps"}));
}

} // namespace highwater
