#include "importers/log/log_importer.h"

#include <gtest/gtest.h>

#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

constexpr Nanoseconds kOneSecond = 1'000'000'000;

std::shared_ptr<const Trace> logOf(const std::string& text, const ImportOptions& options = {})
{
    const Result<ImportedTrace> imported = test::importBytes(text, 1 << 20, options);
    EXPECT_TRUE(imported);
    return imported ? imported->trace : std::make_shared<const Trace>();
}

const CounterSeries* series(const Trace& trace, std::string_view name, std::optional<std::int64_t> rank = {})
{
    for (const CounterSeries& each : trace.counters)
        if (each.name == name && each.rank == rank)
            return &each;
    return nullptr;
}

std::string utf16(std::string_view text)
{
    std::string bytes = "\xFF\xFE";
    for (const char c : text)
        bytes += {c, '\0'};
    return bytes;
}

const std::string kPeak = "peak memory allocated: 100 MiB reserved: 200 MiB";

} // namespace

TEST(LogImporter, SaysThatThereIsNoFigure)
{
    const auto trace = logOf("hello\nworld\n");
    EXPECT_EQ(trace->metadata.kind, TraceKind::TrainerLog);
    EXPECT_NE(trace->log.find("no-memory-figures"), nullptr);
    EXPECT_TRUE(trace->counters.empty());
}

class LogThatEndsEarly : public testing::TestWithParam<ErrorCode>
{
};

TEST_P(LogThatEndsEarly, KeepsTheLinesBeforeIt)
{
    const Error error{GetParam(), "ends here", {}};
    const Result<ImportedTrace> imported = importTrace(
        std::make_unique<test::PiecewiseSource>(kPeak + "\n" + kPeak + "0", 1 << 20, error), {});
    ASSERT_TRUE(imported);
    ASSERT_TRUE(imported->incomplete);
    EXPECT_EQ(imported->incomplete->code, GetParam());
    ASSERT_NE(series(*imported->trace, "reserved_peak"), nullptr);
    EXPECT_EQ(series(*imported->trace, "reserved_peak")->points(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Errors, LogThatEndsEarly,
    testing::Values(ErrorCode::Truncated, ErrorCode::Malformed, ErrorCode::CannotRead));

TEST(LogImporter, ReadsNoHalfLineAtAnError)
{
    const Error error{ErrorCode::Truncated, "ends here", {}};
    const Result<ImportedTrace> imported
        = importTrace(std::make_unique<test::PiecewiseSource>(kPeak, 1 << 20, error), {});
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().message, "ends here");
}

TEST(LogImporter, TellsAnErrorBehindAWholeDocument)
{
    const Error error{ErrorCode::Malformed, "ends here", {}};
    const std::string state = "{\"log_history\": [{\"step\": 1, \"max_memory_allocated (GB)\": 2.0}]}";
    const Result<ImportedTrace> imported
        = importTrace(std::make_unique<test::PiecewiseSource>(state, 1 << 20, error), {});
    ASSERT_TRUE(imported);
    ASSERT_TRUE(imported->incomplete);
    EXPECT_EQ(imported->incomplete->message, "ends here");
}

TEST(LogImporter, ReadsFiguresInExactBytes)
{
    const auto trace = logOf(kPeak + "\n");
    ASSERT_NE(series(*trace, "reserved_peak"), nullptr);
    EXPECT_EQ(series(*trace, "reserved_peak")->value, std::vector<double>{200.0 * 1024 * 1024});
    EXPECT_EQ(series(*trace, "reserved_peak")->line, std::vector<std::uint64_t>{1});
    EXPECT_EQ(series(*trace, "reserved_peak")->quantity, Quantity::Reserved);
}

TEST(LogImporter, KeepsRanksThatInterleaveWithinALineApart)
{
    const auto trace = logOf("[rank3]:step:  1  loss: 1 memory: 1.00GiB(1.00%) step:  2  loss: 1 memory: "
                             "2.00GiB(2.00%)\n[rank4]:step:  1  loss: 1 memory: 4.00GiB(4.00%)\n");
    ASSERT_NE(series(*trace, "reserved_peak", 3), nullptr);
    EXPECT_EQ(series(*trace, "reserved_peak", 3)->step, (std::vector<std::int64_t>{1, 2}));
    ASSERT_NE(series(*trace, "reserved_peak", 4), nullptr);
    EXPECT_EQ(series(*trace, "reserved_peak", 4)->value, std::vector<double>{4.0 * kGiB});
}

TEST(LogImporter, TakesTheStepFromTheProgressBarBefore)
{
    const auto trace = logOf(" 25%|##  | 2/8 [00:01<00:03,  1.73it/s]\r          \r"
                             "{'loss': 1.5, 'max_memory_allocated (GB)': 2.0}\n");
    const CounterSeries* peak = series(*trace, "max_memory_allocated (GB)");
    ASSERT_NE(peak, nullptr);
    EXPECT_EQ(peak->step, std::vector<std::int64_t>{2});
    EXPECT_EQ(peak->stepNumbering, StepNumbering::ProgressBar);
    EXPECT_TRUE(peak->unitGuessed);
}

TEST(LogImporter, TakesNoStepFromABarThatLoadsAModel)
{
    const auto trace
        = logOf("Loading checkpoint shards: 100%|####| 30/30 [00:01<00:03,  1.73it/s]\n" + kPeak + "\n");
    EXPECT_EQ(series(*trace, "allocated_peak")->stepAt(0), CounterSeries::kNoStep);
}

TEST(LogImporter, ALineThatIsNoBarDoesNotRenewTheStepOfTheBarBefore)
{
    const std::string figures = "{'loss': 1.5, 'max_memory_allocated (GB)': 2.0}\n";
    const auto trace = logOf(" 25%|##  | 2/8 [00:01<00:03,  1.73it/s]\n" + figures
        + "step:  7  memory: 1.00GiB(1.00%)\nevaluated at 3.1 it/s\n" + figures);
    const CounterSeries* peak = series(*trace, "max_memory_allocated (GB)");
    ASSERT_NE(peak, nullptr);
    EXPECT_EQ(peak->step, (std::vector<std::int64_t>{2, 7}));
}

TEST(LogImporter, ReadsColouredLines)
{
    const auto trace = logOf("\x1b[31mstep:  7  \x1b[38;2;54;234;195mmemory: 168.57GiB(94.52%)\x1b[39m\n");
    ASSERT_NE(series(*trace, "reserved_peak"), nullptr);
    EXPECT_EQ(series(*trace, "reserved_peak")->value.at(0), std::round(168.57 * static_cast<double>(kGiB)));
}

TEST(LogImporter, ReadsUtf16)
{
    EXPECT_NE(series(*logOf(utf16(kPeak + "\r\n")), "allocated_peak"), nullptr);
}

TEST(LogImporter, CutsALineThatIsTooLongAndGoesOn)
{
    const auto trace = logOf(std::string(3'000'000, 'x') + "\n" + kPeak + "\n");
    ASSERT_NE(trace->log.find("line-cut"), nullptr);
    EXPECT_EQ(trace->log.find("line-cut")->firstAt, Place::line(1));
    ASSERT_NE(series(*trace, "allocated_peak"), nullptr);
    EXPECT_EQ(series(*trace, "allocated_peak")->line.at(0), 2u);
}

TEST(LogImporter, CompletesAYearFromTheTimeOfTheFile)
{
    ImportOptions options;
    options.fileTime = 1'735'700'000 * kOneSecond; // 1 January 2025
    const auto trace = logOf(
        "[12/30 11:23:38 d2.utils.events]: eta: 8:08:27  iter: 639  loss: 1.19  max_mem: 3961M\n", options);
    ASSERT_NE(series(*trace, "max_mem"), nullptr);
    EXPECT_EQ(series(*trace, "max_mem")->timeAt(0), 1'735'557'818 * kOneSecond);
    EXPECT_EQ(series(*trace, "max_mem")->step, std::vector<std::int64_t>{639});
    EXPECT_EQ(trace->metadata.clock, Clock::Local);
}

TEST(LogImporter, CountsTheStepsOfEpochs)
{
    const auto trace = logOf("2020-05-08 18:44:23,494 - mmdet - INFO - Epoch [3][20/100]\tlr: 1, eta: 1 day, "
                             "4:44:04, memory: 6836, loss: 1\n");
    ASSERT_NE(series(*trace, "memory"), nullptr);
    EXPECT_EQ(series(*trace, "memory")->step, std::vector<std::int64_t>{220});
    EXPECT_EQ(series(*trace, "memory")->value, std::vector<double>{6836.0 * kMiB});
}

TEST(LogImporter, DropsWhatIsNoNumber)
{
    const auto trace = logOf("step:9 - perf/max_memory_allocated_gb:nan - actor/loss:1\n");
    EXPECT_EQ(series(*trace, "perf/max_memory_allocated_gb"), nullptr);
    EXPECT_NE(trace->log.find("value-not-finite"), nullptr);
}

TEST(LogImporter, TakesNothingFromSourceCode)
{
    const auto trace = logOf("print(f\"step:{step}/{steps} memory: {mem:.2f}GiB({pct:.2f}%)\")\n"
                             "log = {'mem_alloc_mb': torch.cuda.memory_allocated() / 1e6}\n"
                             "{\"mem_alloc_mb\": value}\n");
    EXPECT_TRUE(trace->counters.empty());
    EXPECT_NE(trace->log.find("no-memory-figures"), nullptr);
}

TEST(LogImporter, NamesKeysThatLookLikeMemory)
{
    const auto trace = logOf("{\"step\": 1, \"mem_bandwidth_gib\": 2.5}\n");
    ASSERT_NE(trace->log.find("memory-like-keys"), nullptr);
    EXPECT_NE(trace->log.find("memory-like-keys")->message.find("mem_bandwidth_gib"), std::string::npos);
}

TEST(LogImporter, UsesPatternsOfTheUser)
{
    ImportOptions options;
    options.logPatterns = R"json({"patterns": [{"id": "mine.mem", "must": "gpu_mem",
        "regex": "\\[it (?P<step>\\d+)\\].*gpu_mem=(?P<m>[\\d.]+)(?P<u>[GM]B)",
        "fields": {"step": "step", "m": {"metric": "allocated_peak", "unit_from": "u", "base": 1024}}}]})json";
    const auto trace = logOf("[it 12] gpu_mem=1.5GB\n", options);
    ASSERT_NE(series(*trace, "allocated_peak"), nullptr);
    EXPECT_EQ(series(*trace, "allocated_peak")->value, std::vector<double>{1.5 * kGiB});
    EXPECT_EQ(series(*trace, "allocated_peak")->pattern, "mine.mem");
}

TEST(LogImporter, ReadsTheOutputsOfANotebook)
{
    const auto trace = logOf(R"({"cells": [{"cell_type": "code", "source": ["peak memory allocated: 1 MiB"],
 "outputs": [{"output_type": "stream",
   "text": ["peak memory ",
            "allocated: 100 MiB reserved: 200 MiB\n"]}]}], "nbformat": 4})");
    ASSERT_NE(series(*trace, "allocated_peak"), nullptr);
    EXPECT_EQ(series(*trace, "allocated_peak")->value, std::vector<double>{100.0 * kMiB});
    EXPECT_EQ(series(*trace, "allocated_peak")->line.at(0), 4u);
}

TEST(LogImporter, ReadsTheHistoryOfATrainerState)
{
    const auto trace = logOf("{\n \"epoch\": 1.0,\n \"log_history\": [\n  {\"loss\": 2.5, \"step\": 10},\n"
                             "  {\"loss\": 2.0, \"step\": 20}\n ],\n \"max_steps\": 20\n}\n");
    ASSERT_NE(series(*trace, "loss"), nullptr);
    EXPECT_EQ(series(*trace, "loss")->step, (std::vector<std::int64_t>{10, 20}));
    EXPECT_EQ(series(*trace, "loss")->line, (std::vector<std::uint64_t>{4, 5}));
}

TEST(LogImporter, ReadsMemoryStatistics)
{
    const auto trace = logOf("{\n \"allocated_bytes.all.current\": 5,\n \"num_ooms\": 0\n}\n");
    EXPECT_EQ(trace->metadata.kind, TraceKind::MemoryStats);
    EXPECT_EQ(series(*trace, "allocated_bytes.all.current")->value, std::vector<double>{5});
}

TEST(LogImporter, ReadsTablesOfNvidiaSmi)
{
    const auto trace
        = logOf("timestamp, index, memory.used [MiB], memory.total [MiB], utilization.memory [%]\n"
                "2024/06/01 11:27:05.177, 1, 4 MiB, 40960 MiB, 7 %\n"
                "2024/06/01 11:27:06.177, 1, [N/A], 40960 MiB, 9 %\n");
    EXPECT_EQ(trace->metadata.kind, TraceKind::NvidiaSmi);
    const CounterSeries* used = series(*trace, "memory.used [MiB]");
    ASSERT_NE(used, nullptr);
    EXPECT_EQ(used->deviceOrdinal, 1);
    EXPECT_EQ(used->value, std::vector<double>{4.0 * kMiB});
    EXPECT_EQ(used->time, std::vector<Nanoseconds>{1'717'241'225'177'000'000});
    EXPECT_EQ(series(*trace, "utilization.memory [%]")->metric, "mem_bandwidth_pct");
}

TEST(LogImporter, ReadsSparseTables)
{
    const auto trace
        = logOf("epoch,step,DeviceStatsMonitor.on_train_batch_start/allocated_bytes.all.current,loss\n"
                "0,0,1610612736,\n0,49,,2.3104\n");
    const CounterSeries* allocated
        = series(*trace, "DeviceStatsMonitor.on_train_batch_start/allocated_bytes.all.current");
    ASSERT_NE(allocated, nullptr);
    EXPECT_EQ(allocated->value, std::vector<double>{1610612736});
    EXPECT_EQ(series(*trace, "loss")->step, std::vector<std::int64_t>{49});
}

TEST(LogImporter, RefusesFiguresBeyondTheMemoryLimit)
{
    std::string text;
    for (int i = 0; i < 20'000; ++i)
        text += kPeak + "\n";
    ImportOptions options;
    options.maxMemoryBytes = 300'000;
    const auto imported = test::importBytes(text, 1 << 20, options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded);
}

class LogSniff : public testing::TestWithParam<std::pair<std::string, bool>>
{
};

TEST_P(LogSniff, TellsTextFromOtherBytes)
{
    EXPECT_EQ(sniffLog(GetParam().first), GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(Contents, LogSniff,
    testing::Values(std::pair("step 1\n", true), std::pair("\xC3\xA9tape 1\n", true),
        std::pair(std::string(200, 'x') + std::string(3, '\0'), true), std::pair("", false),
        std::pair(std::string(4096, '\0'), false), std::pair("\x80\x04\x95\x10", false),
        std::pair("\x89PNG\r\n\x1a\n\x01\x02\x03", false)));

} // namespace highwater
