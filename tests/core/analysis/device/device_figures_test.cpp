#include "core/analysis/device/device_figures.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

DeviceFigures figuresOf(std::string_view text)
{
    return deviceFigures(*test::traceFromText(text), 0);
}

} // namespace

TEST(DeviceFigures, CountLiveBytesBeforeAtThePeakAndAtTheEnd)
{
    const DeviceFigures f = figuresOf("alloc a 100\nalloc b 50\nfree a\nend\nfinal old 7\nfree_once older");
    EXPECT_EQ(f.initialBytes, 7);
    EXPECT_EQ(f.initialLiveCount, 2);
    EXPECT_EQ(f.peakBytes, 157);
    EXPECT_EQ(f.peakEvent, 1);
    EXPECT_EQ(f.peakLiveCount, 4);
    EXPECT_EQ(f.finalBytes, 57);
    EXPECT_EQ(f.finalLiveCount, 2);
    EXPECT_EQ(f.finalAllocatedBytes, 1024);
}

TEST(DeviceFigures, PeakBeforeTheFirstEventIsEventMinusOne)
{
    const DeviceFigures f = figuresOf("alloc a 1\nfree_once a\nfinal old 10");
    EXPECT_EQ(f.peakEvent, 0);
    EXPECT_EQ(figuresOf("free_once a\nfinal old 10").peakEvent, -1);
}

TEST(DeviceFigures, OccupiedMemoryIsGivenBackOnlyWhenTheFreeCompletes)
{
    const DeviceFigures f = figuresOf("alloc a 100\nfree_requested a\nalloc b 10\nfree_completed a\nend");
    EXPECT_EQ(f.peakBytes, 110);
    EXPECT_EQ(f.peakEvent, 2);
}

TEST(DeviceFigures, CountPendingFreesAsLive)
{
    EXPECT_EQ(figuresOf("alloc a 100\nfree_requested a\nfinal a 100 pending").finalBytes, 100);
}

TEST(DeviceFigures, CountReservedBytesForwardsFromTheUndoneStart)
{
    const DeviceFigures f = figuresOf("segment_alloc s 2MiB\nsegment_free t 4MiB\ncached s 2MiB");
    EXPECT_EQ(f.reservedInitialBytes, 4 * kMiB);
    EXPECT_EQ(f.reservedPeakBytes, 6 * kMiB);
    EXPECT_EQ(f.reservedFinalBytes, 2 * kMiB);
}

TEST(DeviceFigures, ListOnlyActionsThatOccur)
{
    const DeviceFigures f = figuresOf("alloc a 1\nfree a\naction workspace_snapshot x 5");
    EXPECT_EQ(f.actions,
        (std::map<std::string, std::int64_t>{
            {"alloc", 1}, {"free_completed", 1}, {"free_requested", 1}, {"workspace_snapshot", 1}}));
}

TEST(DeviceFigures, ListOutOfMemoryEvents)
{
    const DeviceFigures f = figuresOf("alloc a 1\noom 512 99\nend");
    ASSERT_EQ(f.ooms.size(), 1u);
    EXPECT_EQ(f.ooms[0].event, 1);
    EXPECT_EQ(f.ooms[0].requestedBytes, 512);
    EXPECT_EQ(f.ooms[0].deviceFreeBytes, 99);
}

TEST(DeviceFigures, SpanIsLastMinusFirstTime)
{
    EXPECT_EQ(figuresOf("alloc a 1 t=10\nalloc b 1 t=25\nend").span, 15000);
    EXPECT_EQ(figuresOf("alloc a 1\nend").span, std::nullopt);
}

TEST(DeviceFigures, AreZeroForADeviceWithoutAnything)
{
    const auto trace = test::traceFromText("device 0");
    const DeviceFigures f = deviceFigures(*trace, 0);
    EXPECT_EQ(f.peakBytes, 0);
    EXPECT_EQ(f.peakEvent, -1);
    EXPECT_TRUE(f.actions.empty());
}

TEST(MainDevice, IsTheOneWithTheLargestPeak)
{
    const auto trace = test::traceFromText("final a 10\ndevice 1\nfinal b 20\ndevice 2\nfinal c 20");
    std::vector<DeviceFigures> figures;
    for (DeviceIndex i = 0; i < 3; ++i)
        figures.push_back(deviceFigures(*trace, i));
    EXPECT_EQ(mainDevice(*trace, figures), 1u);
}

TEST(DeviceFigures, InTheSameQuantityStayAsTheyAre)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const auto trace = test::randomTrace(seed, {.consistent = true});
        const AllocationTable table(*trace, 0);
        const DeviceFigures plain = deviceFigures(*trace, 0);
        const DeviceFigures again = convertedFigures(table, UsageCurve(*trace, table), plain);
        EXPECT_EQ(again.initialBytes, plain.initialBytes);
        EXPECT_EQ(again.peakBytes, plain.peakBytes);
        EXPECT_EQ(again.peakEvent, plain.peakEvent);
        EXPECT_EQ(again.peakLiveCount, plain.peakLiveCount);
        EXPECT_EQ(again.finalBytes, plain.finalBytes);
    }
}

TEST(DeviceFigures, InAllocatedBytesCanPeakElsewhere)
{
    const auto trace
        = test::traceFromText("alloc a 2000\nfree_once a\nalloc b 520\nalloc c 520\nalloc d 520\nend");
    const AllocationTable table(*trace, 0, Quantity::Allocated);
    const DeviceFigures figures
        = convertedFigures(table, UsageCurve(*trace, table), deviceFigures(*trace, 0));
    EXPECT_EQ(deviceFigures(*trace, 0).peakEvent, 0);
    EXPECT_EQ(figures.peakEvent, 4);
    EXPECT_EQ(figures.peakBytes, 3 * 1024);
    EXPECT_EQ(figures.peakLiveCount, 3);
    EXPECT_EQ(figures.finalBytes, figures.finalAllocatedBytes);
}

TEST(MainDevice, IsTheHostOnlyWhenThereIsNothingElse)
{
    TraceBuilder both;
    both.device(DeviceKind::HostPinned, 0);
    both.device(DeviceKind::Cuda, 0);
    const auto trace = both.finish(); // cuda:0, host
    std::vector<DeviceFigures> figures(2);
    figures[1].peakBytes = 1000;
    EXPECT_EQ(mainDevice(*trace, figures), 0u);
    TraceBuilder host;
    host.device(DeviceKind::HostPinned, 0);
    EXPECT_EQ(mainDevice(*host.finish(), {DeviceFigures{}}), 0u);
}

TEST(MainDevice, IsNoneWithoutDevices)
{
    EXPECT_EQ(mainDevice(*TraceBuilder().finish(), {}), std::nullopt);
}

} // namespace highwater
