#include "core/analysis/device/device_capacity.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

struct SmallRun
{
    explicit SmallRun(std::string_view text)
        : trace(test::traceFromText(text))
        , allocations(*trace, 0)
        , curve(*trace, allocations)
        , figures(deviceFigures(*trace, 0))
    {
    }
    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    UsageCurve curve;
    DeviceFigures figures;
};

const char* const kRanOut = "segment_alloc a 6GiB\noom 4GiB 1GiB\nsegment_alloc b 1GiB\noom 4GiB 2GiB\n"
                            "cached a 6GiB\ncached b 1GiB";

} // namespace

TEST(DeviceCapacity, IsAtLeastWhatWasReservedAndFreeWhenMemoryRanOut)
{
    const SmallRun run("segment_alloc a 6GiB\noom 4GiB 1GiB\ncached a 6GiB");
    const auto capacity = capacityFromOutOfMemory(run.figures.ooms, run.curve);
    ASSERT_TRUE(capacity);
    EXPECT_EQ(capacity->bytes, 7 * kGiB);
    EXPECT_EQ(capacity->event, 1);
    EXPECT_TRUE(capacity->isLowerBound());
}

TEST(DeviceCapacity, GoesByTheLargestOfSeveralEvents)
{
    const SmallRun run(kRanOut);
    const auto capacity = capacityFromOutOfMemory(run.figures.ooms, run.curve);
    EXPECT_EQ(capacity->bytes, 9 * kGiB);
    EXPECT_EQ(capacity->event, 3);
}

TEST(DeviceCapacity, IsNotKnownWithoutSuchAnEvent)
{
    const SmallRun run("segment_alloc a 6GiB\ncached a 6GiB");
    EXPECT_FALSE(capacityFromOutOfMemory(run.figures.ooms, run.curve));
}

TEST(DeviceCapacity, IsNotTakenFromFiguresThatCannotBe)
{
    const SmallRun run(kRanOut);
    EXPECT_FALSE(capacityFromOutOfMemory({{1, 1, -1}}, run.curve));
    EXPECT_FALSE(capacityFromOutOfMemory({{1, 1, std::numeric_limits<Bytes>::max()}}, run.curve));
}

TEST(DeviceCapacity, IsWhatTheFileStatesBeforeAnythingWorkedOut)
{
    const SmallRun run(kRanOut);
    Device device = run.trace->devices[0];
    EXPECT_EQ(knownCapacity(device, run.figures.ooms, run.curve)->source, CapacitySource::OutOfMemory);
    device.capacity = 80 * kGiB;
    EXPECT_EQ(knownCapacity(device, run.figures.ooms, run.curve),
        (DeviceCapacity{80 * kGiB, CapacitySource::File, {}, -1}));
}

TEST(DeviceCapacity, OfHostMemoryIsNotKnown)
{
    const SmallRun run(kRanOut);
    Device host = run.trace->devices[0];
    host.kind = DeviceKind::HostPinned;
    EXPECT_FALSE(knownCapacity(host, run.figures.ooms, run.curve));
}

TEST(DeviceCapacity, SaysWhereItComesFrom)
{
    EXPECT_EQ(toText(DeviceCapacity{24 * kGiB, CapacitySource::Chosen, {}, -1}), "24 GiB (chosen)");
    EXPECT_EQ(toText(DeviceCapacity{24 * kGiB, CapacitySource::Chosen, "L4", -1}), "24 GiB (L4, chosen)");
    EXPECT_EQ(toText(DeviceCapacity{24 * kGiB, CapacitySource::File, {}, -1}), "24 GiB (from the file)");
    EXPECT_EQ(toText(DeviceCapacity{24 * kGiB, CapacitySource::Log, {}, -1}), "24 GiB (from the log)");
    EXPECT_EQ(toText(DeviceCapacity{24 * kGiB, CapacitySource::OutOfMemory, {}, 3}),
        "at least 24 GiB, from the OOM event");
}

TEST(DeviceCapacity, LabelsItsLineByWhatItLimits)
{
    EXPECT_EQ(
        lineLabel(DeviceCapacity{24 * kGiB, CapacitySource::File, {}, -1}), "GPU 24 GiB (from the file)");
    EXPECT_EQ(lineLabel(DeviceCapacity{2 * kGiB, CapacitySource::ProcessLimit, {}, -1}),
        "process limit 2 GiB (from the log)");
}

TEST(BelievableCapacity, IsTheNamedOneUnlessMoreWasReserved)
{
    const DeviceCapacity named{22 * kGiB, CapacitySource::Chosen, "L4", -1};
    const DeviceCapacity shown{23 * kGiB, CapacitySource::OutOfMemory, {}, 5};
    EXPECT_EQ(believableCapacity(named, shown, 22 * kGiB), named);
    EXPECT_EQ(believableCapacity(named, shown, 22 * kGiB + 1), shown);
    EXPECT_EQ(believableCapacity(named, std::nullopt, 22 * kGiB + 1), std::nullopt);
    EXPECT_EQ(believableCapacity(std::nullopt, shown, 0), shown);
}

TEST(DeviceCapacity, IsNearBelowOneAndAHalfTimesTheHeight)
{
    const auto isNearOf = [](Bytes bytes) {
        return isNear({bytes, CapacitySource::Chosen, {}, -1}, 16 * kGiB);
    };
    EXPECT_TRUE(isNearOf(4 * kGiB));
    EXPECT_TRUE(isNearOf(23 * kGiB));
    EXPECT_FALSE(isNearOf(24 * kGiB));
    EXPECT_FALSE(isNearOf(std::numeric_limits<Bytes>::max()));
}

} // namespace highwater
