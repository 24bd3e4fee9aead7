// Tests of exports that samples/simulate wrote. The figures are those that it computes itself
// (samples/README.md).
#include <gtest/gtest.h>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/steps.h"
#include "core/run/run.h"
#include "importers/registry/open_trace.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/frame_names.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::functionsAt;

namespace {

constexpr Nanoseconds kEpoch = 1'790'857'026'000'000'000;
constexpr Nanoseconds kMillisecond = 1'000'000;
constexpr Bytes kMib = 1 << 20;

std::shared_ptr<const Trace> openSample(const std::string& name, bool activities = false)
{
    ImportOptions options;
    options.activities = activities;
    return openTrace(test::samplePath("nsys/" + name + ".sqlite"), options)->trace;
}

struct ExportFigures
{
    const char* name;
    DeviceIndex device;
    const char* label;
    std::int64_t events;
    Bytes initialBytes;
    Bytes peakBytes;
    std::int64_t peakEvent;
    Bytes finalBytes;
};

class NsysSample : public testing::TestWithParam<ExportFigures>
{
};

using Names = std::vector<std::string>;

StepTable stepsOf(const Trace& trace, DeviceIndex device = 0)
{
    const AllocationTable allocations(trace, device);
    return findSteps(
        trace, allocations, UsageCurve(trace, allocations), findPhases(AllocationTable(trace, device)));
}

Names namesOf(const StepTable& table)
{
    Names names;
    for (const Step& step : table.steps)
        names.push_back(step.name);
    return names;
}

} // namespace

TEST_P(NsysSample, HasTheFiguresOfItsGenerator)
{
    const std::shared_ptr<const Trace> trace = openSample(GetParam().name);
    const Device& device = trace->devices.at(GetParam().device);
    EXPECT_EQ(device.label(), GetParam().label);
    EXPECT_EQ(device.quantity, Quantity::DeviceUsed);
    const DeviceFigures figures = deviceFigures(*trace, GetParam().device);
    EXPECT_EQ(figures.eventCount, GetParam().events);
    EXPECT_EQ(figures.initialBytes, GetParam().initialBytes);
    EXPECT_EQ(figures.peakBytes, GetParam().peakBytes);
    EXPECT_EQ(figures.peakEvent, GetParam().peakEvent);
    EXPECT_EQ(figures.finalBytes, GetParam().finalBytes);
}

INSTANTIATE_TEST_SUITE_P(Devices, NsysSample,
    testing::Values(
        ExportFigures{"training-3.7.2", 0, "cuda:0", 13, 100'663'296, 1'939'931'136, 9, 597'753'856},
        ExportFigures{"training-3.7.2", 1, "host", 1, 0, 8'388'608, 0, 8'388'608},
        ExportFigures{"two-ranks-two-cards-3.16.1", 0, "cuda:0", 11, 0, 159'383'552, 9, 52'428'800},
        ExportFigures{"two-ranks-two-cards-3.16.1", 1, "cuda:1", 22, 0, 350'224'384, 19, 104'857'600},
        ExportFigures{"two-ranks-two-cards-3.16.1", 2, "host", 3, 0, 50'331'648, 2, 50'331'648},
        ExportFigures{
            "two-ranks-card-unknown-3.16.1", 0, "cuda:0 · pid 5000", 11, 0, 159'383'552, 9, 52'428'800},
        ExportFigures{
            "two-ranks-card-unknown-3.16.1", 1, "cuda:0 · pid 5001", 11, 0, 169'869'312, 9, 52'428'800},
        ExportFigures{"two-ranks-card-unknown-3.16.1", 2, "host", 2, 0, 33'554'432, 1, 33'554'432},
        ExportFigures{"memory-pools-3.25.0", 0, "cuda:0", 26, 0, 12'582'912, 3, 0}),
    [](const auto& test) {
        return test::testNameOf(test.param.name) + "_" + std::to_string(test.param.device);
    });

TEST(NsysTraining, NamesItsCard)
{
    const auto trace = openSample("training-3.7.2");
    EXPECT_EQ(trace->devices[0].name, "NVIDIA A100-SXM4-40GB");
    EXPECT_EQ(trace->devices[0].capacity, 42'298'834'944);
    EXPECT_FALSE(trace->devices[1].capacity);
}

TEST(NsysTraining, CountsTimesFromTheEpoch)
{
    const auto trace = openSample("training-3.7.2");
    EXPECT_EQ(trace->metadata.clock, Clock::Unix);
    EXPECT_EQ(trace->events.time[trace->row(0, 0)], kEpoch + kMillisecond);
}

TEST(NsysTraining, DoesNotCountTheEpochTwiceWhereTimesAreAbsoluteAlready)
{
    const auto trace = openSample("two-ranks-two-cards-3.16.1");
    EXPECT_EQ(trace->metadata.clock, Clock::Unix);
    EXPECT_EQ(trace->events.time[trace->row(0, 0)], kEpoch + 11 * kMillisecond);
}

TEST(NsysTraining, PutsCallChainAndOperatorsAroundAnAllocation)
{
    const auto trace = openSample("training-3.7.2");
    EXPECT_EQ(functionsAt(*trace, 4),
        (Names{"cudaMalloc", "c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::alloc_block",
            "(unresolved)", "at::native::empty_cuda", "aten::addmm", "aten::linear", "forward"}));
}

TEST(NsysTraining, TakesFramesInPythonFilesForPython)
{
    const auto trace = openSample("training-3.7.2");
    const std::vector<FrameId> frames = trace->stacks.frames(trace->events.stack[trace->row(0, 3)]);
    ASSERT_GE(frames.size(), 3u);
    EXPECT_EQ(trace->stacks.frame(frames[0]).kind, FrameKind::Native);
    EXPECT_EQ(trace->stacks.frame(frames[1]).kind, FrameKind::Python);
    EXPECT_EQ(trace->text(trace->stacks.frame(frames[1]).file), "/home/ml/run/model.py");
}

TEST(NsysTraining, AttributesACallToTheRangesOfItsOwnThread)
{
    const auto trace = openSample("training-3.7.2");
    EXPECT_EQ(functionsAt(*trace, 5).back(), "aten::mm"); // the backward thread has no other range
}

TEST(NsysTraining, HasNoStackWhereThereIsNoCallAndNoRange)
{
    EXPECT_TRUE(functionsAt(*openSample("training-3.7.2"), 0).empty());
}

TEST(NsysTraining, SaysWhichMemoryIsNoOrdinaryOne)
{
    const auto trace = openSample("training-3.7.2");
    const auto details
        = [&](std::int64_t event) { return trace->text(trace->events.details.get(trace->row(0, event))); };
    EXPECT_EQ(details(0), R"({"memory_kind":"device static","variable":"lookup_table"})");
    EXPECT_EQ(details(1), R"({"memory_kind":"managed"})");
    EXPECT_EQ(details(3), "");
}

TEST(NsysTraining, LetsTheFreeGoFirstOfAFreeAndAnAllocationInOneNanosecond)
{
    const auto trace = openSample("training-3.7.2");
    EXPECT_EQ(trace->events.action[trace->row(0, 7)], Action::Free);
    EXPECT_EQ(trace->events.action[trace->row(0, 8)], Action::Alloc);
    EXPECT_EQ(trace->events.time[trace->row(0, 7)], trace->events.time[trace->row(0, 8)]);
    EXPECT_EQ(trace->log.find("alloc-at-live-address"), nullptr);
}

TEST(NsysTraining, TellsFreesOfOlderMemoryFromFreesOfNothing)
{
    const auto trace = openSample("training-3.7.2");
    EXPECT_EQ(trace->pairings[0].partner[2], EventPairing::kBeforeTrace);
    EXPECT_EQ(trace->log.find("freed-older")->count, 1);
    EXPECT_EQ(trace->pairings[0].partner[12], EventPairing::kUnknown);
    EXPECT_EQ(trace->log.find("free-without-allocation")->count, 1);
}

TEST(NsysTraining, ReportsTheCallThatTheDriverRefused)
{
    const auto trace = openSample("training-3.7.2");
    const ImportLogEntry* entry = trace->log.find("out-of-memory");
    ASSERT_TRUE(entry);
    EXPECT_TRUE(test::hasParts(entry->message, {"cudaMalloc", "\"out of memory\"", "73 ms after"}));
}

TEST(NsysTraining, HasStepsByTheNamesOfItsRanges)
{
    const StepTable steps = stepsOf(*openSample("training-3.7.2"));
    EXPECT_EQ(steps.source, StepSource::Ranges);
    // Nothing was allocated in step_1.
    EXPECT_EQ(namesOf(steps), (Names{"warm-up", "step_0", "step_2", "step_3"}));
    EXPECT_EQ(steps.steps[2].peakBytes, 1'939'931'136);
}

TEST(NsysTraining, MakesSpansOfRangesAndCountsOperators)
{
    const auto trace = openSample("training-3.7.2");
    EXPECT_EQ(trace->metadata.operatorCount, 4 * 3 + 4 * 40);
    EXPECT_EQ(trace->spans.size(), 4u * 4 + 2);
    const Span& last = trace->spans.back();
    EXPECT_EQ(trace->text(last.name), "shutdown");
    EXPECT_TRUE(last.endMissing);
    EXPECT_EQ(last.end, kEpoch + 97 * kMillisecond); // until "cleanup"
}

TEST(NsysTraining, NeverShowsWhatTheRecorderStoredOfOtherProcesses)
{
    const auto trace = openSample("training-3.7.2", true);
    std::string all = dumpTrace(*trace);
    for (const auto& [name, value] : trace->metadata.producer)
        all += name + value;
    for (std::size_t i = 0; i < trace->strings.size(); ++i)
        all += trace->text(StringId(i));
    EXPECT_EQ(all.find("API_TOKEN"), std::string::npos);
    EXPECT_EQ(all.find("LD_PRELOAD"), std::string::npos);
    EXPECT_EQ(all.find("node-17"), std::string::npos);
}

TEST(NsysActivities, AreTheMemoryCallsUnlessMoreIsAskedFor)
{
    const auto trace = openSample("training-3.7.2");
    EXPECT_EQ(trace->activities.rows(), 14u); // 13 memory rows with a call, and the refused call
    for (const ActivityKind kind : trace->activities.kind)
        EXPECT_EQ(kind, ActivityKind::RuntimeCall);
}

TEST(NsysActivities, AreEverythingOnRequest)
{
    const auto trace = openSample("training-3.7.2", true);
    std::map<ActivityKind, int> counts;
    for (const ActivityKind kind : trace->activities.kind)
        ++counts[kind];
    EXPECT_EQ(counts[ActivityKind::Kernel], 4 * 41);
    EXPECT_EQ(counts[ActivityKind::Copy], 4);
    EXPECT_EQ(counts[ActivityKind::Set], 4);
    EXPECT_EQ(counts[ActivityKind::RuntimeCall], 14 + 4 * 43);
}

TEST(NsysActivities, HaveNamesBytesAndTimes)
{
    const auto trace = openSample("training-3.7.2", true);
    const ActivityTable& table = trace->activities;
    const auto copy
        = std::find(table.kind.begin(), table.kind.end(), ActivityKind::Copy) - table.kind.begin();
    const Activity activity = table.row(static_cast<std::size_t>(copy));
    EXPECT_EQ(trace->text(activity.name), "Memcpy HtoD");
    EXPECT_EQ(activity.bytes, 2 * kMib);
    EXPECT_EQ(activity.device, 0);
    EXPECT_EQ(activity.begin, kEpoch + 10'500'000);
    EXPECT_EQ(activity.end, activity.begin + 90'000);
}

TEST(NsysRanks, OnOneCardKeepTheirAddressesApart)
{
    const auto trace = openSample("two-ranks-two-cards-3.16.1");
    EXPECT_EQ(trace->log.find("alloc-at-live-address"), nullptr);
    EXPECT_EQ(trace->events.address[trace->row(1, 0)], 0x7f5200000000u);
    EXPECT_EQ(trace->events.address[trace->row(1, 1)], 0x1'7f5200000000u); // same address, second process
}

TEST(NsysRanks, HaveStreamsWhereTheSchemaHasThem)
{
    const auto trace = openSample("two-ranks-two-cards-3.16.1");
    EXPECT_EQ(trace->streamLabel(trace->events.stream[trace->row(0, 0)]), "stream 7");
    const auto older = openSample("training-3.7.2");
    EXPECT_EQ(older->streamLabel(older->events.stream[older->row(0, 0)]), "stream not recorded");
}

TEST(NsysRanks, HaveTheirOwnStepsThoughTheirDevicesHaveOneNumber)
{
    const auto trace = openSample("two-ranks-card-unknown-3.16.1");
    EXPECT_EQ(trace->spans.size(), 6u);
    EXPECT_EQ(namesOf(stepsOf(*trace, 1)), (Names{"train_step 0", "train_step 1", "train_step 2"}));
    std::int64_t own = 0;
    for (const Span& span : trace->spans)
        own += span.isOf(trace->devices[1]);
    EXPECT_EQ(own, 3);
}

TEST(NsysRanks, AreNamedWhereOneProcessWasRecorded)
{
    EXPECT_EQ(rankFromContent(*openSample("memory-pools-3.25.0")), 5);
    EXPECT_EQ(rankFromContent(*openSample("two-ranks-two-cards-3.16.1")), std::nullopt);
}

TEST(NsysPools, BecomeCounters)
{
    const auto trace = openSample("memory-pools-3.25.0");
    ASSERT_EQ(trace->counters.size(), 2u);
    const CounterSeries& size = trace->counters[0];
    EXPECT_EQ(size.name, "pool size");
    EXPECT_EQ(size.unit, "bytes");
    EXPECT_EQ(size.deviceOrdinal, 0);
    EXPECT_EQ(size.value.front(), 0);
    EXPECT_EQ(*std::max_element(size.value.begin(), size.value.end()), 48.0 * kMib); // both pools
    EXPECT_EQ(size.value.back(), 8.0 * kMib); // one pool is gone, the other was trimmed
    const CounterSeries& utilized = trace->counters[1];
    EXPECT_EQ(utilized.name, "pool utilized");
    EXPECT_EQ(*std::max_element(utilized.value.begin(), utilized.value.end()), 12.0 * kMib);
    EXPECT_EQ(utilized.value.back(), 0);
}

TEST(NsysPools, TellWhichAllocationIsFromWhich)
{
    const auto trace = openSample("memory-pools-3.25.0");
    EXPECT_EQ(trace->poolLabel(trace->events.pool.get(trace->row(0, 0))), "private pool (0, 1)");
    EXPECT_EQ(trace->poolLabel(trace->events.pool.get(trace->row(0, 24))), "private pool (0, 2)");
    EXPECT_EQ(trace->text(trace->events.details.get(trace->row(0, 24))), R"({"pool_address":"0x402000000"})");
}

TEST(NsysPools, HaveProfilerStepsAsSteps)
{
    const auto trace = openSample("memory-pools-3.25.0");
    const StepTable steps = stepsOf(*trace);
    EXPECT_EQ(steps.source, StepSource::ProfilerStep);
    EXPECT_EQ(namesOf(steps), (Names{"ProfilerStep#4", "ProfilerStep#5", "ProfilerStep#6"}));
}

TEST(NsysPools, PassOnWhatTheRecorderLost)
{
    const auto trace = openSample("memory-pools-3.25.0");
    EXPECT_TRUE(trace->log.find("recorder-lost-events")
                    ->message.ends_with("Not all CUDA events might have been collected."));
}

TEST(NsysWithoutMemoryTable, SaysWhyAndWhichOptionRecordsIt)
{
    const auto trace = openSample("no-memory-table-3.25.0");
    EXPECT_TRUE(trace->devices.empty());
    EXPECT_FALSE(trace->metadata.hasHistory);
    EXPECT_TRUE(test::hasParts(trace->log.find("no-memory-events")->message,
        {"COLLECT_GPU_MEMORY_USAGE was false", "--cuda-memory-usage=true"}));
}

TEST(NsysWithoutMemoryTable, HasRangesMarksAndOperatorsOfEachProcess)
{
    const auto trace = openSample("no-memory-table-3.25.0");
    std::map<SpanKind, int> kinds;
    std::map<std::int64_t, int> processes;
    for (const Span& span : trace->spans) {
        ++kinds[span.kind];
        ++processes[span.process];
    }
    EXPECT_EQ(kinds[SpanKind::Annotation], 18);
    EXPECT_EQ(kinds[SpanKind::Operator], 2 * 3 * 21);
    EXPECT_EQ(processes, (std::map<std::int64_t, int>{{7001, 72}, {7002, 72}}));
}

} // namespace highwater
