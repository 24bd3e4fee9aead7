#include "importers/cupti_text/cupti_text_importer.h"

#include <gtest/gtest.h>

#include "core/analysis/device/device_figures.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::importBytes;

namespace {

constexpr DeviceIndex kCuda = 0;
constexpr DeviceIndex kHost = 1;

std::shared_ptr<const Trace> sample(const std::string& name)
{
    return openTrace(test::samplePath("cupti/" + name), {})->trace;
}

std::shared_ptr<const Trace> table(const std::string& rows)
{
    const auto imported = importBytes("timestamp,operation,address,bytes,kind,deviceId,processId\n" + rows);
    EXPECT_TRUE(imported);
    return imported->trace;
}

/// Returns the dump without the parts that differ between the forms.
std::string bodyOf(const Trace& trace)
{
    const std::string dump = dumpTrace(trace);
    return dump.substr(0, dump.find("\nlog "));
}

} // namespace

TEST(CuptiText, HasTheDevicesAndTheHost)
{
    const auto trace = sample("tiny-cuda-11.txt");
    ASSERT_EQ(trace->devices.size(), 2u);
    EXPECT_EQ(trace->devices[kCuda].label(), "cuda:0");
    EXPECT_EQ(trace->devices[kCuda].name, "Simulated GPU");
    EXPECT_EQ(trace->devices[kCuda].quantity, Quantity::DeviceUsed);
    EXPECT_FALSE(trace->devices[kCuda].hasFinalSegments);
    EXPECT_EQ(trace->devices[kHost].label(), "host");
    EXPECT_EQ(trace->metadata.kind, TraceKind::CuptiText);
    EXPECT_EQ(trace->metadata.clock, Clock::Own);
}

TEST(CuptiText, AddsUpWithWhatIsOlder)
{
    const DeviceFigures figures = deviceFigures(*sample("tiny-cuda-11.txt"), kCuda);
    EXPECT_EQ(figures.eventCount, 8);
    EXPECT_EQ(figures.initialBytes, 1 * kMiB);
    EXPECT_EQ(figures.peakBytes, 7'864'320);
    EXPECT_EQ(figures.peakEvent, 4);
    EXPECT_EQ(figures.finalBytes, 5'767'168);
}

TEST(CuptiText, SaysTheSameInAllItsPrintedForms)
{
    const std::string one = bodyOf(*sample("tiny-cuda-11.txt"));
    EXPECT_EQ(bodyOf(*sample("tiny-cuda-12.txt")), one);
    EXPECT_EQ(bodyOf(*sample("tiny-cuda-12.4.txt")), one);
}

TEST(CuptiText, SaysThatItPutNumbersRight)
{
    EXPECT_NE(sample("tiny-cuda-12.4.txt")->log.find("numbers-put-right"), nullptr);
    EXPECT_EQ(sample("tiny-cuda-12.txt")->log.find("numbers-put-right"), nullptr);
}

TEST(CuptiText, AsATableHasTheSameFigures)
{
    const auto trace = sample("tiny-table.csv");
    const DeviceFigures figures = deviceFigures(*trace, kCuda);
    EXPECT_EQ(figures.peakBytes, 7'864'320);
    EXPECT_EQ(figures.finalBytes, 5'767'168);
    EXPECT_EQ(deviceFigures(*trace, kHost).peakBytes, 65'536);
}

TEST(CuptiText, HasCountersOfPools)
{
    const auto trace = sample("tiny-cuda-12.txt");
    ASSERT_EQ(trace->counters.size(), 2u);
    EXPECT_EQ(trace->counters[0].name, "pool size");
    EXPECT_EQ(trace->counters[0].value, (std::vector<double>{0, 32.0 * kMiB, 32.0 * kMiB, 0}));
    EXPECT_EQ(trace->counters[1].name, "pool utilized");
    EXPECT_EQ(trace->counters[1].value, (std::vector<double>{0, 1.0 * kMiB, 0, 0}));
    EXPECT_EQ(trace->counters[1].deviceOrdinal, 0);
}

TEST(CuptiText, TakesManagedAndStaticMemoryForTheDevices)
{
    const auto trace
        = table("1,alloc,10,512,managed,1,7\n2,alloc,20,256,device static,1,7\n3,alloc,30,64,pinned,1,7\n");
    ASSERT_EQ(trace->devices.size(), 2u);
    EXPECT_EQ(trace->devices[0].label(), "cuda:1");
    EXPECT_EQ(deviceFigures(*trace, 0).peakBytes, 768);
    EXPECT_EQ(deviceFigures(*trace, 1).peakBytes, 64);
}

TEST(CuptiText, KeepsProcessesOfOneNumberApart)
{
    const auto trace
        = table("1,alloc,10,512,device,0,7\n2,alloc,10,256,device,0,8\n3,free,10,512,device,0,7\n");
    ASSERT_EQ(trace->devices.size(), 2u);
    EXPECT_EQ(trace->devices[0].label(), "cuda:0 · pid 7");
    EXPECT_EQ(deviceFigures(*trace, 0).finalBytes, 0);
    EXPECT_EQ(deviceFigures(*trace, 1).finalBytes, 256);
    EXPECT_NE(trace->log.find("several-processes"), nullptr);
}

TEST(CuptiText, PutsRecordsInTheOrderOfTheirTimes)
{
    const auto trace = table("5,free,10,512,device,0,7\n1,alloc,10,512,device,0,7\n");
    EXPECT_EQ(deviceFigures(*trace, 0).peakBytes, 512);
    EXPECT_EQ(deviceFigures(*trace, 0).initialBytes, 0);
    EXPECT_NE(trace->log.find("sorted-by-time"), nullptr);
}

TEST(CuptiText, WithLargeTimesIsOnTheClockOfTheWorld)
{
    EXPECT_EQ(table("1790857026000000000,alloc,10,512,device,0,7\n")->metadata.clock, Clock::Unix);
}

TEST(CuptiText, WithoutAStreamOrAProcessIsReadAllTheSame)
{
    const auto imported = importBytes("timestamp,operation,address,bytes\n1,alloc,10,512\n");
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->devices[0].label(), "cuda:0");
    EXPECT_TRUE(imported->trace->events.stream[0].isNone());
}

TEST(CuptiText, WithAHeaderAloneIsEmpty)
{
    const auto imported = importBytes("timestamp,operation,address,bytes\n");
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->incomplete);
    EXPECT_TRUE(imported->trace->devices.empty());
    EXPECT_FALSE(imported->trace->metadata.hasHistory);
}

} // namespace highwater
