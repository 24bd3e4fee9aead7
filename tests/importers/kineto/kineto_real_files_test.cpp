// Traces of other people's runs, if they are available next to the project.
#include <gtest/gtest.h>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/stacks/call_site.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct TraceFigures
{
    const char* name;
    DeviceIndex device;
    std::int64_t events;
    Bytes initialBytes;
    Bytes peakBytes;
    Bytes finalBytes;
    Bytes reservedPeakBytes;
};

class RealKinetoTrace : public testing::TestWithParam<TraceFigures>
{
};

} // namespace

TEST_P(RealKinetoTrace, HasItsFigures)
{
    const auto path = test::realFilePath(std::string("kineto/") + GetParam().name);
    SKIP_WITHOUT_REAL_FILE(path);
    const auto imported = openTrace(*path, {});
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->incomplete);
    const DeviceFigures figures = deviceFigures(*imported->trace, GetParam().device);
    EXPECT_EQ(figures.eventCount, GetParam().events);
    EXPECT_EQ(figures.initialBytes, GetParam().initialBytes);
    EXPECT_EQ(figures.peakBytes, GetParam().peakBytes);
    EXPECT_EQ(figures.finalBytes, GetParam().finalBytes);
    EXPECT_EQ(figures.reservedPeakBytes, GetParam().reservedPeakBytes);
    EXPECT_EQ(imported->trace->log.find("total-mismatch"), nullptr);
    const AllocationTable allocations(*imported->trace, GetParam().device);
    EXPECT_EQ(UsageCurve(*imported->trace, allocations).peak().bytes, figures.peakBytes);
}

INSTANTIATE_TEST_SUITE_P(Files, RealKinetoTrace,
    testing::Values(TraceFigures{"v100-rank1-memory-54mb.json.gz", 0, 26'770, 4'096'614'400, 6'629'508'096,
                        4'096'614'400, 12'782'141'440},
        TraceFigures{
            "transformer-2025.pt.trace.json", 0, 120, 50'358'272, 94'398'464, 50'358'272, 117'440'512},
        TraceFigures{"resnet50-2021-bytes-only.pt.trace.json.gz", 0, 8'220, 0, 2'791'636'480, 0, 0},
        TraceFigures{"resnet50-2021-bytes-only.pt.trace.json.gz", 1, 4'618, 0, 57'803'264, 19'267'840, 0},
        TraceFigures{"cpu-gpt-3steps-stack-torch2.14.pt.trace.json.gz", 0, 3'024, 0, 2'299'016, 0, 0}),
    [](const auto& test) {
        return test::testNameOf(test.param.name) + "_" + std::to_string(test.param.device);
    });

TEST(RealKinetoTrace, OfAGptWithStacksHasAUserFrameOrNodeForEveryAllocation)
{
    const auto path = test::realFilePath("kineto/cpu-gpt-3steps-stack-torch2.14.pt.trace.json.gz");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto imported = openTrace(*path, {});
    const AllocationTable allocations(*imported->trace, 0);
    const CallSites sites(*imported->trace, allocations);
    std::int64_t without = 0;
    for (AllocationIndex i = 0; i < allocations.size(); ++i)
        without += sites.site(sites.of(i)).kind == SiteKind::NoStack;
    EXPECT_EQ(without, 0);
}

} // namespace highwater
