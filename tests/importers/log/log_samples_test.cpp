// Tests of the reference cases' logs, and of logs of other people's runs if they are available next to the
// project. The expected figures were read from the files.
#include <gtest/gtest.h>

#include <cmath>

#include "importers/native/native_writer.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

std::vector<double> inUnits(const std::vector<double>& numbers, Bytes unit)
{
    std::vector<double> bytes;
    for (const double number : numbers)
        bytes.push_back(std::round(number * static_cast<double>(unit)));
    return bytes;
}

std::vector<double> valuesOf(
    const std::string& path, std::string_view name, std::optional<std::int64_t> rank = {})
{
    const Result<ImportedTrace> imported = openTrace(path, {});
    EXPECT_TRUE(imported);
    if (imported)
        for (const CounterSeries& series : imported->trace->counters)
            if (series.name == name && series.rank == rank)
                return series.value;
    return {};
}

} // namespace

TEST(LogSamples, OfR2GiveThreeSeriesAStep)
{
    const std::string path = test::samplePath("logs/r2-grpo-memory.jsonl");
    const Result<ImportedTrace> imported = openTrace(path, {});
    ASSERT_TRUE(imported);
    ASSERT_EQ(imported->trace->counters.size(), 4u); // including the loss
    const CounterSeries& peak = imported->trace->counters[3];
    EXPECT_EQ(peak.name, "mem_max_alloc_mb");
    EXPECT_EQ(peak.metric, "allocated_peak");
    EXPECT_TRUE(peak.unitGuessed);
    EXPECT_EQ(peak.points(), 12u);
    EXPECT_EQ(peak.value.front(), std::round(1998.4 * 1048576));
    EXPECT_EQ(peak.step.back(), 11);
    EXPECT_EQ(peak.time.front(), 1'767'225'600'000'000'000);
    EXPECT_EQ(imported->trace->metadata.clock, Clock::Unix);
}

TEST(LogSamples, OfR5GiveTheSeriesOfItsLines)
{
    const std::string path = test::samplePath("logs/r5-flan-t5-xl.log");
    EXPECT_EQ(valuesOf(path, "device_used"), inUnits({28.1, 28.3, 28.5}, kGiB));
    EXPECT_EQ(valuesOf(path, "device_total"), inUnits({32, 32, 32}, kGiB));
    EXPECT_EQ(valuesOf(path, "loss"), (std::vector<double>{2.1401, 2.1312, 2.1234}));
    EXPECT_EQ(openTrace(path, {})->trace->counters[1].step, (std::vector<std::int64_t>{480, 490, 500}));
}

class LogSample : public testing::TestWithParam<std::string>
{
};

TEST_P(LogSample, IsTheSameAfterSavingAndReopening)
{
    const Result<ImportedTrace> imported = openTrace(test::samplePath(GetParam()), {});
    ASSERT_TRUE(imported);
    std::string bytes;
    ASSERT_TRUE(writeNative(*imported->trace, [&](std::string_view more) {
        bytes += more;
        return true;
    }));
    const Result<ImportedTrace> reopened = test::importBytes(bytes);
    ASSERT_TRUE(reopened) << toText(reopened.error());
    const std::string before = dumpTrace(*imported->trace);
    const std::string after = dumpTrace(*reopened->trace);
    EXPECT_EQ(after.substr(after.find(" history")), before.substr(before.find(" history")));
}

TEST_P(LogSample, ReadsTheSameInPieces)
{
    const std::string bytes = test::readWholeFile(test::samplePath(GetParam()));
    const auto whole = test::importBytes(bytes);
    const auto pieces = test::importBytes(bytes, 1);
    ASSERT_TRUE(whole && pieces);
    EXPECT_EQ(dumpTrace(*pieces->trace), dumpTrace(*whole->trace));
}

TEST_P(LogSample, CanBeCutAnywhere)
{
    const std::string bytes = test::readWholeFile(test::samplePath(GetParam()));
    for (std::size_t cut = 1; cut < bytes.size(); cut += 97)
        EXPECT_TRUE(test::importBytes(bytes.substr(0, cut))) << cut;
}

INSTANTIATE_TEST_SUITE_P(All, LogSample, testing::ValuesIn(test::sampleNames("logs")),
    [](const auto& sample) { return test::testNameOf(sample.param); });

TEST(RealLogs, OfTorchtitanTellThePeakOfEachRecord)
{
    const auto path = test::realFilePath("logs/torchtitan-steps-run100.log");
    SKIP_WITHOUT_REAL_FILE(path);
    EXPECT_EQ(valuesOf(*path, "reserved_peak", 0), inUnits({160.60, 168.57}, kGiB));
    EXPECT_EQ(valuesOf(*path, "reserved_peak_pct", 0), (std::vector<double>{90.05, 94.52}));
    const std::shared_ptr<const Trace> trace = openTrace(*path, {})->trace;
    for (const CounterSeries& series : trace->counters)
        if (series.name == "reserved_peak") {
            EXPECT_EQ(series.step, (std::vector<std::int64_t>{1, 10}));
            EXPECT_EQ(series.since, PeakSince::PreviousRecord);
        }
    const auto other = test::realFilePath("logs/torchtitan-steps-run105.log");
    EXPECT_EQ(valuesOf(*other, "reserved_peak", 0), inUnits({172.59}, kGiB));
}

TEST(RealLogs, OfMegatronTellEachRank)
{
    const auto path = test::realFilePath("logs/megatron-bridge-llama7b.txt");
    SKIP_WITHOUT_REAL_FILE(path);
    EXPECT_EQ(valuesOf(*path, "allocated", 0), inUnits({52563.13134765625}, kMiB));
    EXPECT_EQ(valuesOf(*path, "allocated", 1), inUnits({52562.16455078125}, kMiB));
    EXPECT_EQ(valuesOf(*path, "allocated_peak", 1), inUnits({55251.01708984375}, kMiB));
    EXPECT_EQ(valuesOf(*path, "reserved", 0), inUnits({56088}, kMiB));
    EXPECT_EQ(valuesOf(*path, "reserved_peak", 1), inUnits({55530}, kMiB));
}

TEST(RealLogs, OfDeepSpeedTellFourFigures)
{
    const auto path = test::realFilePath("logs/llama-factory-deepspeed.out");
    SKIP_WITHOUT_REAL_FILE(path);
    EXPECT_EQ(valuesOf(*path, "allocated"), inUnits({0, 0, 0, 0, 0, 0, 0, 0, 0, 0.13}, kGiB));
    EXPECT_EQ(valuesOf(*path, "allocated_peak"), inUnits({5.87, 0, 0, 0, 0, 0, 0, 0, 0, 4.04}, kGiB));
    EXPECT_EQ(valuesOf(*path, "reserved"), inUnits({0, 0, 0, 0, 0, 0, 0, 0, 0, 4.04}, kGiB));
    EXPECT_EQ(valuesOf(*path, "reserved_peak"), inUnits({6, 0, 0, 0, 0, 0, 0, 0, 0, 4}, kGiB));
    const std::shared_ptr<const Trace> trace = openTrace(*path, {})->trace;
    for (const CounterSeries& series : trace->counters)
        if (series.name == "reserved_peak") {
            EXPECT_EQ(series.labelAt(0), "Stage 3 initialize beginning");
        }
}

TEST(RealLogs, WithAScriptInThemGiveOnlyWhatTheRunWrote)
{
    const auto path = test::realFilePath("logs/modded-nanogpt-with-script.txt");
    SKIP_WITHOUT_REAL_FILE(path);
    const Result<ImportedTrace> imported = openTrace(*path, {});
    ASSERT_TRUE(imported);
    EXPECT_TRUE(imported->trace->logEvents.empty());
    for (const CounterSeries& series : imported->trace->counters)
        EXPECT_GT(series.lineAt(0), 1000u) << series.name; // the script ends before this line
    EXPECT_EQ(valuesOf(*path, "allocated_peak"), inUnits({34217}, kMiB));
}

TEST(RealLogs, WithoutMemorySaySo)
{
    const auto path = test::realFilePath("logs/verl-startup-no-memory.out");
    SKIP_WITHOUT_REAL_FILE(path);
    const Result<ImportedTrace> imported = openTrace(*path, {});
    ASSERT_TRUE(imported);
    EXPECT_NE(imported->trace->log.find("no-memory-figures"), nullptr);
    EXPECT_TRUE(imported->trace->counters.empty());
}

TEST(RealLogs, OfEightRanksHaveEightFailures)
{
    const auto path = test::realFilePath("logs/torchtitan-oom-8ranks.log");
    SKIP_WITHOUT_REAL_FILE(path);
    const std::shared_ptr<const Trace> trace = openTrace(*path, {})->trace;
    std::vector<LogEvent> events;
    for (const LogEvent& event : trace->logEvents)
        if (event.kind == LogEvent::Kind::Oom)
            events.push_back(event);
    ASSERT_EQ(events.size(), 9u);
    EXPECT_EQ(events[0].failure, events[1].failure);
    for (std::int64_t rank = 0; rank < 8; ++rank) {
        const LogEvent& event = events[static_cast<std::size_t>(rank) + 1];
        EXPECT_EQ(event.rank, rank);
        EXPECT_EQ(event.figures->device, rank);
        EXPECT_EQ(event.failure, rank);
        EXPECT_FALSE(event.frames.empty());
    }
}

TEST(RealLogs, OfANotebookKeepTheOtherProcesses)
{
    const auto path = test::realFilePath("logs/verl-notebook-oom.ipynb");
    SKIP_WITHOUT_REAL_FILE(path);
    const Result<ImportedTrace> imported = openTrace(*path, {});
    ASSERT_TRUE(imported);
    ASSERT_EQ(imported->trace->logEvents.size(), 1u);
    const OomFigures& figures = *imported->trace->logEvents[0].figures;
    ASSERT_EQ(figures.otherProcesses.size(), 2u);
    EXPECT_EQ(figures.otherProcesses[1].process, 2708525);
    EXPECT_EQ(figures.requested->bytes, 58 * kMiB);
}

TEST(RealTensorBoardFiles, HaveAllTheirPoints)
{
    const auto verl = test::realFilePath("tensorboard/verl-q7b-mcore-off.tfevents");
    SKIP_WITHOUT_REAL_FILE(verl);
    for (const char* tag :
        {"perf/max_memory_allocated_gb", "perf/max_memory_reserved_gb", "perf/cpu_memory_used_gb"})
        EXPECT_EQ(valuesOf(*verl, tag).size(), 105u) << tag;
    EXPECT_EQ(valuesOf(*verl, "perf/max_memory_reserved_gb").back(), 142'967'046'144.0);
    const auto titan = test::realFilePath("tensorboard/torchtitan-10steps.tfevents");
    for (const char* tag : {"memory/max_active(GiB)", "memory/max_reserved(GiB)", "memory/num_ooms"})
        EXPECT_EQ(valuesOf(*titan, tag).size(), 10u) << tag;
    EXPECT_EQ(valuesOf(*titan, "memory/max_reserved(GiB)").back(), 887'095'296.0);
}

TEST(RealWandbFile, HasHistoryAndStatistics)
{
    const auto path = test::realFilePath("logs/synthetic-run.wandb");
    SKIP_WITHOUT_REAL_FILE(path);
    EXPECT_EQ(valuesOf(*path, "perf/max_memory_allocated_gb").size(), 40u);
    EXPECT_EQ(valuesOf(*path, "gpu.0.memoryAllocatedBytes").back(), 27'053'260'839.0);
}

} // namespace highwater
