#include "core/analysis/logs/auxiliary_lines.h"

#include <gtest/gtest.h>

#include "core/trace/trace_builder.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Three events, at 10, 20 and 40 µs: a segment of 4096 bytes, then allocations of 100 and 200 bytes.
std::shared_ptr<const Trace> host()
{
    return test::traceFromText("segment_alloc S 4096 t=10\nalloc A 100 t=20\nalloc B 200 t=40\nend\n");
}

/// Returns a process that takes memory from the driver: pairs of time (µs) and bytes.
ClockedTrace driver(const std::vector<std::pair<std::int64_t, Bytes>>& allocations, Nanoseconds offset = 0)
{
    TraceBuilder builder;
    const DeviceIndex device = builder.device(DeviceKind::Cuda, 0);
    builder.deviceRow(device).quantity = Quantity::DeviceUsed;
    builder.deviceRow(device).hasFinalSegments = false;
    Address address = 0;
    for (const auto& [microseconds, bytes] : allocations) {
        MemoryEvent event;
        event.action = Action::Alloc;
        event.address = ++address << 20;
        event.size = bytes;
        event.time = microseconds * 1000;
        builder.addEvent(event);
    }
    builder.assignEvents(device, {{0, static_cast<std::uint32_t>(allocations.size())}});
    return {builder.finish(), "run.sqlite", offset};
}

std::shared_ptr<const Trace> traceOfSeries(
    const std::string& name, std::vector<Nanoseconds> times, std::vector<double> values)
{
    auto trace = std::make_shared<Trace>();
    CounterSeries counter;
    counter.name = name;
    counter.unit = "bytes";
    counter.time = std::move(times);
    counter.value = std::move(values);
    trace->counters.push_back(counter);
    return trace;
}

} // namespace

TEST(AuxiliaryLines, GiveWhatAProcessTookFromTheDriver)
{
    const auto lines = auxiliaryLines(*host(), 0, driver({{15, 5000}, {30, 1000}}));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].title, "device used (run.sqlite)");
    EXPECT_EQ(lines[0].quantity, Quantity::DeviceUsed);
    EXPECT_EQ(lines[0].peakBytes, 6000);
    EXPECT_EQ(lines[0].at(14'000), std::nullopt); // recording may not have begun by then
    EXPECT_EQ(lines[0].at(14'999), 0);
    EXPECT_EQ(lines[0].at(15'000), 5000);
    EXPECT_EQ(lines[0].at(29'999), 5000);
    EXPECT_EQ(lines[0].at(50'000), 6000);
}

TEST(AuxiliaryLines, LieBetweenTheEventsByTime)
{
    const auto lines = auxiliaryLines(*host(), 0, driver({{25, 1}, {40, 2}, {90, 4}}));
    ASSERT_EQ(lines.size(), 1u);
    const std::vector<double> expected = {1.24995, 1.25, 2, 3};
    ASSERT_EQ(lines[0].points.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(lines[0].points[i].event, expected[i], 1e-9);
}

TEST(AuxiliaryLines, HaveThePeakOfWhatHoldsWhileTheDeviceHasEvents)
{
    // 4000 bytes at the last event; an allocation after it does not count.
    EXPECT_EQ(auxiliaryLines(*host(), 0, driver({{1, 3000}, {39, 1000}, {90, 7000}}))[0].peakBytes, 4000);
    EXPECT_EQ(auxiliaryLines(*host(), 0, driver({{90, 7000}}))[0].peakBytes, 0);
    EXPECT_EQ(auxiliaryLines(*host(), 0, driver({{1, 3000}}))[0].peakBytes, 3000);
}

TEST(AuxiliaryLines, AreMovedByTheOffset)
{
    const auto lines = auxiliaryLines(*host(), 0, driver({{15, 5000}}, 7000));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].at(21'999), 0);
    EXPECT_EQ(lines[0].at(22'000), 5000);
}

TEST(AuxiliaryLines, SayNothingOfAnotherDevice)
{
    TraceBuilder builder;
    const DeviceIndex other = builder.device(DeviceKind::Cuda, 1);
    builder.deviceRow(other).quantity = Quantity::DeviceUsed;
    EXPECT_TRUE(auxiliaryLines(*host(), 0, {builder.finish(), "x", 0}).empty());
}

TEST(AuxiliaryLines, HoldSampledSeriesInBytes)
{
    const ClockedTrace log{traceOfSeries("allocated", {12'000, 12'500, 30'000}, {7, 7, 9}), "train.log", 0};
    const auto lines = auxiliaryLines(*host(), 0, log);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].title, "allocated (train.log)");
    EXPECT_EQ(lines[0].points.size(), 2u); // a value that stays the same is one point
    EXPECT_EQ(lines[0].at(29'000), 7);
    EXPECT_EQ(lines[0].at(1000), std::nullopt);
}

TEST(AuxiliaryLines, PassOverPointsThatGoBackInTime)
{
    const ClockedTrace log{traceOfSeries("allocated", {30'000, 12'000, 31'000}, {7, 8, 9}), "train.log", 0};
    EXPECT_EQ(auxiliaryLines(*host(), 0, log)[0].points.size(), 2u);
}

TEST(MemoryLevels, NameWhatLiesBetweenTensorsAllocatorAndDriver)
{
    const auto trace = host();
    const AllocationTable allocations(*trace, 0);
    const UsageCurve curve(*trace, allocations);
    ASSERT_EQ(curve.reservedAt(1), 1024); // according to the segments at the end
    const auto lines = auxiliaryLines(*trace, 0, driver({{5, 5000}}));
    const MemoryLevels levels = memoryLevelsAt(curve, allocations.quantity(), 1, 20'000, &lines[0]);
    EXPECT_EQ(levels.live, 100);
    EXPECT_EQ(levels.reserved, 1024);
    EXPECT_EQ(levels.cached(), 924);
    EXPECT_EQ(levels.deviceUsed, 5000);
    EXPECT_EQ(levels.outside(), 3976);
    EXPECT_TRUE(test::hasParts(
        toText(levels), {"100 B in use", "1 KiB reserved", "924 B", "4.88 KiB", "run.sqlite", "3.88 KiB"}));
}

TEST(MemoryLevels, SayThatADriverBelowTheAllocatorDoesNotFit)
{
    const auto trace = host();
    const AllocationTable allocations(*trace, 0);
    const UsageCurve curve(*trace, allocations);
    const auto lines = auxiliaryLines(*trace, 0, driver({{5, 1000}}));
    const std::string text = toText(memoryLevelsAt(curve, allocations.quantity(), 1, 20'000, &lines[0]));
    EXPECT_TRUE(test::hasParts(text, {"24 B less than reserved"}));
}

TEST(MemoryLevels, AreOfTheFileAloneWithoutAnother)
{
    const auto trace = host();
    const AllocationTable allocations(*trace, 0);
    const MemoryLevels levels
        = memoryLevelsAt(UsageCurve(*trace, allocations), allocations.quantity(), 2, 40'000, nullptr);
    EXPECT_EQ(levels.deviceUsed, std::nullopt);
    EXPECT_EQ(levels.outside(), std::nullopt);
}

TEST(AuxiliaryFiles, AreFilesThatTellNoAllocationsOfTheirOwn)
{
    EXPECT_TRUE(isAuxiliary(*host(), *driver({{1, 1}}).trace));
    EXPECT_TRUE(isAuxiliary(*host(), *traceOfSeries("allocated", {1}, {1})));
    EXPECT_FALSE(isAuxiliary(*host(), *host())); // it has another rank
    EXPECT_FALSE(isAuxiliary(*driver({{1, 1}}).trace, *driver({{1, 1}}).trace));
    EXPECT_FALSE(isAuxiliary(*host(), Trace()));
}

} // namespace highwater
