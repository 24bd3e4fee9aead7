#include "core/analysis/diff/logs/log_diff.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/analysis/diff/logs/log_diff_text.h"
#include "importers/registry/open_trace.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

constexpr double kG = 1073741824;

CounterSeries series(const std::string& name, const std::string& metric, std::vector<double> values)
{
    CounterSeries made;
    made.name = name;
    made.metric = metric;
    made.unit = "bytes";
    for (std::size_t i = 0; i < values.size(); ++i)
        made.step.push_back(static_cast<std::int64_t>(i) + 1);
    made.value = std::move(values);
    return made;
}

CounterSeries ofRank(CounterSeries made, std::int64_t rank)
{
    made.rank = rank;
    return made;
}

Trace log(std::vector<CounterSeries> counters)
{
    Trace trace;
    trace.counters = std::move(counters);
    return trace;
}

LogDiff logDiffOf(const Trace& before, const Trace& after)
{
    return diffLogs({before, {}}, {after, {}});
}

LogEvent oomAt(std::uint64_t line)
{
    LogEvent event;
    event.kind = LogEvent::Kind::Oom;
    event.line = line;
    event.failure = 0;
    return event;
}

std::shared_ptr<const Trace> logSample(const std::string& name)
{
    return openTrace(test::samplePath("logs/" + name), {})->trace;
}

} // namespace

TEST(SeriesFigures, TellFirstLastAndLargestWithItsStep)
{
    const std::optional<SeriesFigures> figures = seriesFigures(series("a", "allocated", {3, 7, 7, 5}));
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->points, 4u);
    EXPECT_EQ(figures->first, 3);
    EXPECT_EQ(figures->last, 5);
    EXPECT_EQ(figures->smallest, 3);
    EXPECT_EQ(figures->largest, 7);
    EXPECT_EQ(figures->largestStep, 2);
}

TEST(SeriesFigures, PassOverWhatIsNoNumber)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(seriesFigures(series("a", "", {nan, 2, inf, 1, nan}))->largest, 2);
    EXPECT_EQ(seriesFigures(series("a", "", {nan, 2, inf, 1, nan}))->last, 1);
    EXPECT_EQ(seriesFigures(series("a", "", {-5, -3}))->largest, -3);
    EXPECT_EQ(seriesFigures(series("a", "", {nan})), std::nullopt);
    EXPECT_EQ(seriesFigures(series("a", "", {})), std::nullopt);
}

TEST(LogDiff, ComparesTheBestMeasureOfMemory)
{
    const Trace before = log({series("res", "reserved_peak", {9}), series("lr", "", {1}),
        series("max", "allocated_peak", {4, 5}), series("now", "allocated", {4})});
    const Trace after = log({series("max", "allocated_peak", {3}), series("res", "reserved_peak", {8})});
    const LogDiff diff = logDiffOf(before, after);
    ASSERT_EQ(diff.compared, 0u);
    EXPECT_EQ(diff.series[0].before, 2u);
    EXPECT_EQ(diff.series[0].after, 0u);
    EXPECT_EQ(diff.series[1].before, 0u);
    EXPECT_EQ(diff.series.size(), 2u);
    EXPECT_EQ(diff.onlyBefore, 2u);
    EXPECT_EQ(diff.onlyAfter, 0u);
}

TEST(LogDiff, MatchesTheSameMetricOfAnotherName)
{
    const LogDiff diff = logDiffOf(log({series("mem_max", "allocated_peak", {4})}),
        log({series("perf/max_memory_allocated_gb", "allocated_peak", {5})}));
    EXPECT_EQ(diff.series.size(), 1u);
}

TEST(LogDiff, NeverSetsDifferentQuantitiesAgainstEachOther)
{
    CounterSeries allocated = series("memory", "", {4});
    CounterSeries reserved = series("memory", "", {4});
    allocated.quantity = Quantity::Allocated;
    reserved.quantity = Quantity::Reserved;
    EXPECT_TRUE(logDiffOf(log({allocated}), log({reserved})).series.empty());
    CounterSeries peakOfRecord = allocated;
    peakOfRecord.since = PeakSince::PreviousRecord;
    EXPECT_TRUE(logDiffOf(log({allocated}), log({peakOfRecord})).series.empty());
}

TEST(LogDiff, MatchesRankWithRank_andShowsTheHighestFirst)
{
    const Trace before
        = log({ofRank(series("m", "allocated", {4}), 0), ofRank(series("m", "allocated", {9}), 1)});
    const Trace after
        = log({ofRank(series("m", "allocated", {8}), 1), ofRank(series("m", "allocated", {3}), 0)});
    const LogDiff diff = logDiffOf(before, after);
    ASSERT_EQ(diff.series.size(), 2u);
    EXPECT_EQ(diff.series[0].before, 1u);
    EXPECT_EQ(diff.series[0].after, 0u);
    EXPECT_EQ(diff.series[1].before, 0u);
    EXPECT_EQ(diff.series[1].after, 1u);
}

TEST(LogDiff, DoesNotGuessWhichOfSeveralWritersIsMeant)
{
    const Trace one = log({series("m", "allocated", {4})});
    const Trace two
        = log({ofRank(series("m", "allocated", {4}), 0), ofRank(series("m", "allocated", {5}), 1)});
    EXPECT_TRUE(logDiffOf(one, two).series.empty());
    EXPECT_EQ(logDiffOf(one, log({ofRank(series("m", "allocated", {4}), 3)})).series.size(), 1u);
}

TEST(LogDiff, LooksPastTheIdsOfProcesses)
{
    CounterSeries runner = series("m", "allocated", {4});
    CounterSeries worker = runner;
    runner.process = "TaskRunner pid=1";
    worker.process = "WorkerDict pid=2";
    const Trace before = log({runner, worker});
    runner.process = "TaskRunner pid=700";
    worker.process = "WorkerDict pid=800";
    const LogDiff diff = logDiffOf(before, log({worker, runner}));
    ASSERT_EQ(diff.series.size(), 2u);
    EXPECT_EQ(diff.series[0].before + diff.series[0].after, 1u);
    EXPECT_EQ(diff.series[1].before + diff.series[1].after, 1u);
}

TEST(LogDiff, SaysThatThePeakFell)
{
    const LogDiff diff = logDiffOf(log({series("max", "allocated_peak", {2 * kG, 4 * kG})}),
        log({series("max", "allocated_peak", {kG})}));
    EXPECT_TRUE(test::hasParts(diff.verdict.headline,
        {"fell by 3 GiB (75%)", "4 GiB at step 2", "1 GiB at step 1", "allocated peak (max)"}));
}

TEST(LogDiff, SaysThatThePeakDidNotMove)
{
    const Trace before = log({series("max", "allocated_peak", {1000 * kG})});
    const LogDiff hardly = logDiffOf(before, log({series("max", "allocated_peak", {1001 * kG})}));
    EXPECT_TRUE(test::hasParts(hardly.verdict.headline, {"barely moved (+1 GiB, +0.1%)"}));
    EXPECT_TRUE(test::hasParts(
        logDiffOf(before, before).verdict.headline, {"the same, 0.98 TiB", "allocated peak (max)"}));
}

TEST(LogDiff, NeverCallsTheHighestSampleThePeak)
{
    const LogDiff diff = logDiffOf(log({series("memory.used", "device_used", {2 * kG, 4 * kG})}),
        log({series("memory.used", "device_used", {kG, kG})}));
    EXPECT_TRUE(test::hasParts(diff.verdict.headline, {"The highest sample fell by 3 GiB"}));
    EXPECT_FALSE(test::hasParts(diff.verdict.headline, {"peak"}));
    ASSERT_FALSE(diff.verdict.details.empty());
    EXPECT_TRUE(test::hasParts(diff.verdict.details.front(), {"samples", "may have been higher"}));
}

TEST(LogDiff, OfExchangedLogsIsTheOpposite)
{
    const auto before = logSample("r4-verl-before.err");
    const auto after = logSample("r4-verl-after.err");
    const LogDiff there = logDiffOf(*before, *after);
    const LogDiff back = logDiffOf(*after, *before);
    ASSERT_EQ(there.series.size(), back.series.size());
    for (std::size_t i = 0; i < there.series.size(); ++i) {
        EXPECT_EQ(there.series[i].beforeFigures, back.series[i].afterFigures);
        EXPECT_EQ(there.series[i].afterFigures, back.series[i].beforeFigures);
    }
    EXPECT_EQ(there.settings.size(), back.settings.size());
}

TEST(LogDiff, TellsTheReferenceCaseOfVerl)
{
    const auto before = logSample("r4-verl-before.err");
    const auto after = logSample("r4-verl-after.err");
    const LogDiff diff = logDiffOf(*before, *after);
    EXPECT_EQ(diff.settings,
        (std::vector<SettingChange>{
            {"actor_rollout_ref.actor.fsdp_config.optimizer_offload", "False", "True"},
            {"actor_rollout_ref.actor.fsdp_config.param_offload", "False", "True"},
            {"actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu", "32", "16"},
            {"actor_rollout_ref.actor.ppo_mini_batch_size", "256", "128"},
            {"data.train_batch_size", "1024", "512"}}));
    EXPECT_EQ(diff.beforeFailures.size(), 1u);
    EXPECT_TRUE(diff.afterFailures.empty());
    EXPECT_EQ(wholeBytes(diff.series[0].beforeFigures.largest), 74604655673);
    EXPECT_EQ(wholeBytes(diff.series[0].afterFigures.largest), 48178795643);
    EXPECT_TRUE(test::hasParts(diff.verdict.headline, {"no out-of-memory error", "44.87 GiB"}));
    ASSERT_EQ(diff.verdict.details.size(), 3u);
    EXPECT_TRUE(test::hasParts(diff.verdict.details[2], {"Host", "112.8 GiB to 172.1 GiB (+59.3 GiB)"}));
    EXPECT_TRUE(test::hasParts(failureText(*before, diff.beforeFailures[0]), {"26.56 GiB"}));
}

TEST(LogDiff, TakesSettingsFromFilesOfTheirOwn)
{
    const Trace empty;
    const LogDiff diff = diffLogs({empty, {{"batch", "8", "yaml", 1}}}, {empty, {{"batch", "4", "yaml", 1}}});
    EXPECT_EQ(diff.settings, (std::vector<SettingChange>{{"batch", "8", "4"}}));
}

TEST(LogDiff, SaysWhatEachTellsAloneWhereThereIsNothingInCommon)
{
    Trace before;
    before.logEvents.push_back(oomAt(3));
    const LogDiff diff = logDiffOf(before, log({series("max", "allocated_peak", {kG})}));
    EXPECT_EQ(diff.compared, std::nullopt);
    EXPECT_TRUE(test::hasParts(diff.verdict.headline, {"no series", "in common"}));
    ASSERT_EQ(diff.verdict.details.size(), 2u);
    EXPECT_TRUE(test::hasParts(
        diff.verdict.details[0], {"In the earlier log, there is no series", "1 GiB, allocated peak (max)"}));
    EXPECT_TRUE(test::hasParts(diff.verdict.details[1], {"ran out of memory (line 3)"}));
}

TEST(LogDiff, TakesNoDifferencesOrSizesOfCardsForMemoryInUse)
{
    const Trace other = log({series("total", "device_total", {80}), series("delta", "allocated_delta", {1}),
        series("cpu", "host_used", {9})});
    const LogDiff diff = logDiffOf(other, other);
    EXPECT_EQ(diff.series.size(), 3u);
    EXPECT_EQ(diff.compared, std::nullopt);
}

TEST(LogDiff, WarnsWhereTheRunsAreOfDifferentLength)
{
    const LogDiff diff = logDiffOf(
        log({series("m", "allocated_peak", {1, 1, 1, 1, 1})}), log({series("m", "allocated_peak", {1})}));
    ASSERT_EQ(diff.verdict.details.size(), 1u);
    EXPECT_TRUE(test::hasParts(diff.verdict.details[0], {"differ in length (5 and 1 points)"}));
}

TEST(LogDiff, DrawsNoSeriesThatFallsBelowZero)
{
    const Trace below = log({series("delta", "allocated_delta", {3, -1})});
    EXPECT_FALSE(logDiffOf(below, below).series[0].isDrawable());
    const Trace above = log({series("m", "allocated", {3, 0})});
    EXPECT_TRUE(logDiffOf(above, above).series[0].isDrawable());
}

TEST(LogDiff, CutsOffBytesThatNoFileCanMean)
{
    EXPECT_EQ(wholeBytes(1e300), 4000000000000000000);
    EXPECT_EQ(wholeBytes(-1e300), -4000000000000000000);
    EXPECT_EQ(wholeBytes(12.9), 12);
}

} // namespace highwater
