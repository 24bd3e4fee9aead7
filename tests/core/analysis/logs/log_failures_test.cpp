#include "core/analysis/logs/log_failures.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

LogEvent message(std::uint64_t line, std::int64_t failure)
{
    LogEvent event;
    event.kind = LogEvent::Kind::Oom;
    event.line = line;
    event.failure = failure;
    return event;
}

CounterSeries seriesOf(const std::string& metric, std::vector<double> values)
{
    CounterSeries series;
    series.name = series.metric = metric;
    series.unit = "bytes";
    series.value = std::move(values);
    return series;
}

} // namespace

TEST(MemoryFailureEnd, ExplainsNothingOnceWorkGoesOn)
{
    Trace trace;
    trace.logEvents = {message(10, 0), message(20, 1)};
    trace.logEvents[1].kind = LogEvent::Kind::Unclear;
    EXPECT_TRUE(MemoryFailureEnd(trace).explains(trace.logEvents[1]));
    trace.counters.push_back(seriesOf("reserved", {1, 1, 1}));
    trace.counters.back().line = {12, 13, 14};
    EXPECT_FALSE(MemoryFailureEnd(trace).explains(trace.logEvents[1]));
}

TEST(LogFailures, JoinTheMessagesOfOneFailure)
{
    Trace trace;
    trace.logEvents = {message(3, 0), message(5, 1), message(9, 0), message(11, LogEvent::kNoFailure)};
    const std::vector<LogFailure> failures = logFailures(trace);
    ASSERT_EQ(failures.size(), 2u);
    EXPECT_EQ(failures[0].event, 0u);
    EXPECT_EQ(failures[0].copies, 2);
    EXPECT_EQ(failures[1].event, 1u);
    EXPECT_EQ(failures[1].copies, 1);
}

TEST(SharedFailures, AreOfOneRequestOnDifferentDevices)
{
    Trace trace;
    const auto add = [&](std::int64_t device, std::optional<Bytes> requested) {
        LogEvent event
            = message(trace.logEvents.size() + 1, static_cast<std::int64_t>(trace.logEvents.size()));
        event.figures.emplace().device = device;
        if (requested)
            event.figures->requested = WrittenBytes{*requested, 0};
        trace.logEvents.push_back(event);
    };
    add(0, 100);
    add(1, 100);
    add(0, 100); // on the first device again
    add(1, 200);
    add(2, 100);
    add(3, std::nullopt);
    add(4, std::nullopt);
    std::vector<std::vector<std::size_t>> lines;
    for (const SharedFailure& failure : sharedFailures(trace)) {
        lines.push_back({failure.first.event});
        for (const LogFailure& other : failure.others)
            lines.back().push_back(other.event);
    }
    EXPECT_EQ(lines, (std::vector<std::vector<std::size_t>>{{0, 1, 4}, {2}, {3}, {5}, {6}}));
}

TEST(LoggedCapacity, IsTheLargestThatIsWritten)
{
    Trace trace;
    EXPECT_EQ(loggedCapacity(trace), std::nullopt);
    trace.counters = {seriesOf("device_total", {100, 300}), seriesOf("allocated", {900})};
    EXPECT_EQ(loggedCapacity(trace), 300);
    trace.logEvents = {message(1, 0)};
    trace.logEvents[0].figures.emplace().capacity = WrittenBytes{400, 0};
    EXPECT_EQ(loggedCapacity(trace), 400);
}

TEST(MeasuresDevice, LeavesOutItsSizeAndTheHost)
{
    EXPECT_TRUE(measuresDevice(seriesOf("reserved_peak", {})));
    EXPECT_FALSE(measuresDevice(seriesOf("device_total", {})));
    EXPECT_FALSE(measuresDevice(seriesOf("host_used", {})));
}

TEST(Logs, OfExperimentTrackersAreNoTextToRead)
{
    Trace trace;
    trace.metadata.kind = TraceKind::TrainerLog;
    EXPECT_TRUE(isLog(trace));
    EXPECT_TRUE(hasReadableText(trace));
    trace.metadata.kind = TraceKind::WandbRun;
    EXPECT_FALSE(hasReadableText(trace));
}

} // namespace highwater
