#include "core/analysis/logs/log_times.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

LogTimes times(const std::vector<std::pair<std::uint64_t, Nanoseconds>>& points)
{
    Trace trace;
    CounterSeries series;
    for (const auto& [line, time] : points) {
        series.line.push_back(line);
        series.time.push_back(time);
        series.value.push_back(1);
    }
    trace.counters.push_back(series);
    return LogTimes(trace);
}

} // namespace

TEST(LogTimes, AreThoseOfTheNearestLineBefore)
{
    const LogTimes log = times({{10, 100}, {20, 200}});
    EXPECT_EQ(log.timeOf(9), std::nullopt);
    EXPECT_EQ(log.timeOf(10), 100);
    EXPECT_EQ(log.timeOf(19), 100);
    EXPECT_EQ(log.timeOf(500), 200);
}

TEST(LogTimes, FindTheLastLineWrittenByATime)
{
    const LogTimes log = times({{10, 100}, {20, 200}, {21, 200}});
    EXPECT_EQ(log.lineAt(99), std::nullopt);
    EXPECT_EQ(log.lineAt(150), 10u);
    EXPECT_EQ(log.lineAt(200), 21u);
}

TEST(LogTimes, LeaveOutWhereALogJumpsBack)
{
    const LogTimes log = times({{10, 100}, {20, 50}, {30, 120}});
    EXPECT_EQ(log.timeOf(25), 100);
    EXPECT_EQ(log.lineAt(130), 30u);
}

TEST(LogTimes, OfLinesWithoutTimesAreNone)
{
    EXPECT_EQ(times({{10, 0}}).timeOf(10), std::nullopt);
    EXPECT_EQ(LogTimes().lineAt(5), std::nullopt);
}

} // namespace highwater
