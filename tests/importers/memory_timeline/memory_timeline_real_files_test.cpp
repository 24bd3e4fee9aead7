// Tests of timelines of real runs, if they are available next to the project.
#include <gtest/gtest.h>

#include "core/analysis/categories/categories.h"
#include "core/analysis/device/device_figures.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct TimelineFigures
{
    const char* name;
    const char* device;
    std::int64_t events;
    Bytes initialBytes;
    std::int64_t initialBlocks;
    Bytes peakBytes;
    Bytes finalBytes;
    std::size_t steps;
};

class RealMemoryTimeline : public testing::TestWithParam<TimelineFigures>
{
};

} // namespace

TEST_P(RealMemoryTimeline, HasItsFigures)
{
    const auto path = test::realFilePath(std::string("memory-timeline/") + GetParam().name);
    SKIP_WITHOUT_REAL_FILE(path);
    const auto imported = openTrace(*path, {});
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->incomplete);
    const Trace& trace = *imported->trace;
    EXPECT_EQ(trace.metadata.kind, TraceKind::MemoryTimeline);
    EXPECT_EQ(trace.devices[0].label(), GetParam().device);
    const DeviceFigures figures = deviceFigures(trace, 0);
    EXPECT_EQ(figures.eventCount, GetParam().events);
    EXPECT_EQ(figures.initialBytes, GetParam().initialBytes);
    EXPECT_EQ(figures.initialLiveCount, GetParam().initialBlocks);
    EXPECT_EQ(figures.peakBytes, GetParam().peakBytes);
    EXPECT_EQ(figures.finalBytes, GetParam().finalBytes);
}

TEST_P(RealMemoryTimeline, HasAsManyStepsAsWereRun)
{
    const auto path = test::realFilePath(std::string("memory-timeline/") + GetParam().name);
    SKIP_WITHOUT_REAL_FILE(path);
    const auto imported = openTrace(*path, {});
    const Trace& trace = *imported->trace;
    const AllocationTable allocations(trace, 0);
    const UsageCurve curve(trace, allocations);
    EXPECT_EQ(findSteps(trace, allocations, curve, findPhases(AllocationTable(trace, 0))).steps.size(),
        GetParam().steps);
}

// The levels of one of these files are cut into layers, which do not repeat, so it has one step.
INSTANTIATE_TEST_SUITE_P(Files, RealMemoryTimeline,
    testing::Values(TimelineFigures{"v100-training.raw.json.gz", "cuda:0", 8'440, 332'060'904, 645,
                        3'082'832'104, 332'060'904, 5},
        TimelineFigures{
            "cpu-gpt-3steps.memory.raw.json.gz", "cpu", 3'096, 1'635'972, 120, 3'934'988, 1'635'972, 3},
        TimelineFigures{"cpu-gpt-3steps.memory.json", "cpu", 3'498, 1'635'972, 2, 3'934'988, 1'635'972, 1},
        TimelineFigures{
            "cpu-gpt-3steps.memory.json.gz", "cpu", 3'498, 1'635'972, 2, 3'934'988, 1'635'972, 1}),
    [](const auto& test) { return test::testNameOf(test.param.name); });

TEST(RealMemoryTimeline, OfAGptHasTheProfilersCategoriesAtItsPeak)
{
    const auto path = test::realFilePath("memory-timeline/cpu-gpt-3steps.memory.raw.json.gz");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto imported = openTrace(*path, {});
    const Trace& trace = *imported->trace;
    const AllocationTable allocations(trace, 0);
    const UsageCurve curve(trace, allocations);
    const PhaseTable phases = findPhases(AllocationTable(trace, 0));
    const CategoryTable categories
        = categorize(trace, allocations, phases, findSteps(trace, allocations, curve, phases));
    const CategoryBytes peak = categoriesAt(allocations, categories, {curve.peak().event})[0];
    EXPECT_EQ(peak[static_cast<std::size_t>(Category::Parameter)], 545'284);
    EXPECT_EQ(peak[static_cast<std::size_t>(Category::OptimizerState)], 1'090'688);
    EXPECT_EQ(peak[static_cast<std::size_t>(Category::Unknown)], 0);
}

} // namespace highwater
