#include "core/analysis/logs/memory_series.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

CounterSeries bytesSeries(const std::string& name, const std::string& metric, double value)
{
    CounterSeries series;
    series.name = name;
    series.metric = metric;
    series.unit = "bytes";
    series.value = {value, value};
    return series;
}

using SeriesIndices = std::vector<std::size_t>;

} // namespace

TEST(LifetimeTotals, AreAllBytesThatWereEverAllocatedOrFreed)
{
    EXPECT_TRUE(isLifetimeTotal(bytesSeries("allocated_bytes.all.allocated", "", 1)));
    EXPECT_TRUE(isLifetimeTotal(bytesSeries("on_train_batch_end/active_bytes.small_pool.freed", "", 1)));
    EXPECT_TRUE(isLifetimeTotal(bytesSeries("memory/num_alloc_retries", "num_alloc_retries", 1)));
    EXPECT_FALSE(isLifetimeTotal(bytesSeries("allocated_bytes.all.current", "allocated", 1)));
    EXPECT_FALSE(isLifetimeTotal(bytesSeries("gpu.allocated", "allocated", 1)));
    EXPECT_FALSE(isLifetimeTotal(bytesSeries("allocated", "allocated", 1)));
}

TEST(SampledSeries, AreTheMemoryInUseAndNoPeaks)
{
    for (const char* metric : {"allocated", "reserved", "device_used", "host_used", "device_used_pct"})
        EXPECT_TRUE(isSampled(bytesSeries("x", metric, 1))) << metric;
    for (const char* metric : {"allocated_peak", "device_used_peak", "device_total", "loss", ""})
        EXPECT_FALSE(isSampled(bytesSeries("x", metric, 1))) << metric;
    CounterSeries sincePrevious = bytesSeries("x", "allocated", 1);
    sincePrevious.since = PeakSince::PreviousRecord;
    EXPECT_FALSE(isSampled(sincePrevious));
}

TEST(DisplayedSeries, PutTheMemoryOfOneGpuFirst)
{
    Trace log;
    log.counters = {bytesSeries("loss", "loss", 3), bytesSeries("allocated_bytes.all.allocated", "", 900),
        bytesSeries("reserved", "reserved", 60), bytesSeries("allocated", "allocated", 50),
        bytesSeries("allocated", "allocated", 40)};
    log.counters[0].unit.clear();
    log.counters[4].rank = 1;
    const DisplayedSeries shown = displayedSeries(log);
    EXPECT_EQ(shown.own, (SeriesIndices{3, 2}));
    EXPECT_EQ(shown.more, (SeriesIndices{4, 1, 0}));
}

TEST(DisplayedSeries, CountTheOnlyGpuOfATrackerAsTheLogsOwn)
{
    Trace log;
    log.counters = {bytesSeries("max_memory_allocated_gb", "allocated_peak", 20),
        bytesSeries("gpu.0.memoryAllocatedBytes", "device_used", 25)};
    log.counters[1].deviceOrdinal = 0;
    EXPECT_EQ(displayedSeries(log).own, (SeriesIndices{0, 1}));
    log.counters.push_back(log.counters[1]);
    log.counters[2].deviceOrdinal = 1;
    EXPECT_EQ(displayedSeries(log).own, (SeriesIndices{0}));
}

TEST(DisplayedSeries, AreOfTheRankThatRanOutOfMemory)
{
    Trace log;
    log.counters = {bytesSeries("reserved", "reserved", 60), bytesSeries("reserved", "reserved", 62)};
    log.counters[0].rank = 0;
    log.counters[1].rank = 1;
    EXPECT_EQ(displayedSeries(log).own, (SeriesIndices{1}));
    LogEvent failure;
    failure.kind = LogEvent::Kind::Oom;
    failure.failure = 0;
    failure.rank = 0;
    log.logEvents.push_back(failure);
    EXPECT_EQ(displayedSeries(log).own, (SeriesIndices{0}));
}

TEST(DrawnSeries, AreOneOfEachMeasureAndFromOneMoment)
{
    Trace log;
    log.counters = {bytesSeries("validation/active_bytes.all.peak", "active_peak", 90),
        bytesSeries("validation/reserved_bytes.all.peak", "reserved_peak", 95),
        bytesSeries("train/allocated_bytes.all.peak", "allocated_peak", 99),
        bytesSeries("train/reserved_bytes.all.peak", "reserved_peak", 98),
        bytesSeries("train/reserved_bytes.large_pool.peak", "", 97)};
    EXPECT_EQ(drawnSeries(log, displayedSeries(log)), (SeriesIndices{2, 3, 0}));
}

TEST(DrawnSeries, AreTheBestMeasureOfEveryRankThatFailed)
{
    Trace log;
    for (std::int64_t rank = 0; rank < 3; ++rank)
        for (const char* metric : {"reserved", "allocated"}) {
            log.counters.push_back(bytesSeries(metric, metric, 60));
            log.counters.back().rank = rank;
        }
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        LogEvent failure;
        failure.kind = LogEvent::Kind::Oom;
        failure.failure = rank;
        failure.rank = rank;
        log.logEvents.push_back(failure);
    }
    const DisplayedSeries shown = displayedSeries(log);
    EXPECT_EQ(shown.own.size(), std::size_t{4});
    EXPECT_EQ(drawnSeries(log, shown), (SeriesIndices{1, 3}));
}

TEST(DrawnSeries, AreNoneOfALogWithoutMemoryOfAGpu)
{
    Trace log;
    log.counters = {bytesSeries("cpu_memory", "host_used", 90), bytesSeries("total", "device_total", 90)};
    EXPECT_TRUE(drawnSeries(log, displayedSeries(log)).empty());
}

} // namespace highwater
