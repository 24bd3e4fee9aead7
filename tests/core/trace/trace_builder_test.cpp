#include "core/trace/trace_builder.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

MemoryEvent allocOf(Bytes size)
{
    return {Action::Alloc, static_cast<Address>(size) << 20, size, 0, {}, {}, {}, {}, {}};
}

} // namespace

TEST(TraceBuilder, MakesAnEmptyTrace)
{
    const auto trace = TraceBuilder().finish();
    EXPECT_TRUE(trace->devices.empty());
    EXPECT_EQ(trace->events.rows(), 0u);
    EXPECT_TRUE(trace->log.entries().empty());
}

TEST(TraceBuilder, IsEmptyAfterFinishing)
{
    TraceBuilder builder;
    builder.device(DeviceKind::Cuda, 0);
    builder.finish();
    EXPECT_EQ(builder.eventCount(), 0u);
    EXPECT_TRUE(builder.finish()->devices.empty());
}

TEST(TraceBuilder, NumbersStreamsOfAnyHandle)
{
    // 4 GiB apart, as the driver's handles can be: most of their low bits are equal.
    TraceBuilder builder;
    for (std::uint32_t i = 0; i < 20'000; ++i)
        EXPECT_EQ(
            builder.stream(0x7f0000000000 + (std::int64_t{i} << 32) + std::int64_t{i} * 1024), StreamId(i));
    EXPECT_EQ(builder.stream(0x7f0000000000), StreamId(0u));
}

TEST(TraceBuilder, OrdersDevicesByKindAndOrdinal)
{
    TraceBuilder builder;
    builder.device(DeviceKind::HostPinned, Device::kNoOrdinal);
    builder.device(DeviceKind::Cuda, 3);
    builder.device(DeviceKind::Cuda, 1);
    const auto trace = builder.finish();
    ASSERT_EQ(trace->devices.size(), 3u);
    EXPECT_EQ(trace->devices[0].label(), "cuda:1");
    EXPECT_EQ(trace->devices[1].label(), "cuda:3");
    EXPECT_EQ(trace->devices[2].label(), "host");
    EXPECT_EQ(trace->devices[0].words(), "GPU 1");
    EXPECT_EQ(trace->devices[2].words(), "host");
}

TEST(TraceBuilder, GivesTheSameDeviceForTheSameOrdinal)
{
    TraceBuilder builder;
    EXPECT_EQ(builder.device(DeviceKind::Cuda, 4), builder.device(DeviceKind::Cuda, 4));
    EXPECT_NE(builder.device(DeviceKind::Cuda, 4), builder.device(DeviceKind::HostPinned, 4));
}

TEST(TraceBuilder, PutsTheEventsOfDevicesThatCameOutOfOrderInOrder)
{
    TraceBuilder builder;
    for (Bytes size : {1, 2, 3, 4})
        builder.addEvent(allocOf(size));
    builder.assignEvents(builder.device(DeviceKind::Cuda, 1), {{0, 2}});
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{2, 4}});
    const auto trace = builder.finish();
    EXPECT_EQ(trace->events.size[trace->row(0, 0)], 3);
    EXPECT_EQ(trace->events.size[trace->row(1, 1)], 2);
    EXPECT_EQ(trace->eventCount(0), 2);
}

TEST(TraceBuilder, GathersTheRangesOfADevice)
{
    TraceBuilder builder;
    for (Bytes size : {1, 2, 3, 4})
        builder.addEvent(allocOf(size));
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, 1}, {3, 4}, {2, 2}});
    const auto trace = builder.finish();
    ASSERT_EQ(trace->eventCount(0), 2);
    EXPECT_EQ(trace->events.size[trace->row(0, 1)], 4);
}

TEST(TraceBuilder, KeepsPoolAndDetailsOfGatheredEvents)
{
    TraceBuilder builder;
    builder.addEvent(allocOf(1));
    MemoryEvent event = allocOf(2);
    event.pool = builder.pool({7, 8});
    event.details = builder.strings().intern("{}");
    builder.addEvent(event);
    const DeviceIndex device = builder.device(DeviceKind::Cuda, 0);
    builder.assignEvents(device, {{1, 2}, {0, 1}});
    const auto trace = builder.finish();
    EXPECT_EQ(trace->poolLabel(trace->events.pool.get(0)), "private pool (7, 8)");
    EXPECT_EQ(trace->text(trace->events.details.get(0)), "{}");
    EXPECT_TRUE(trace->events.pool.get(1).isNone());
}

TEST(TraceBuilder, GathersTheSegmentsOfADevice)
{
    TraceBuilder builder;
    Segment segment;
    const DeviceIndex second = builder.device(DeviceKind::Cuda, 1);
    const DeviceIndex first = builder.device(DeviceKind::Cuda, 0);
    segment.address = 10;
    builder.addSegment(second, segment);
    segment.address = 20;
    builder.addSegment(first, segment);
    segment.address = 30;
    builder.addSegment(second, segment);
    const auto trace = builder.finish();
    EXPECT_EQ(trace->devices[0].segments.size(), 1u);
    ASSERT_EQ(trace->devices[1].segments.size(), 2u);
    EXPECT_EQ(trace->segments.segments[trace->devices[1].segments.first].address, 10u);
}

TEST(TraceBuilder, KnowsTheNamesOfActions)
{
    TraceBuilder builder;
    EXPECT_EQ(builder.action("alloc"), Action::Alloc);
    EXPECT_EQ(builder.action("free_completed"), Action::FreeCompleted);
    EXPECT_EQ(builder.action("segment_unmap"), Action::SegmentUnmap);
    EXPECT_EQ(builder.action("annotate"), Action::Annotate);
}

TEST(TraceBuilder, KeepsUnknownActionsByName)
{
    TraceBuilder builder;
    const Action unknown = builder.action("workspace_snapshot");
    EXPECT_EQ(builder.action("workspace_snapshot"), unknown);
    EXPECT_NE(builder.action("something_else"), unknown);
    EXPECT_EQ(builder.finish()->actionName(unknown), "workspace_snapshot");
}

TEST(TraceBuilder, CapsTheNumberOfUnknownActions)
{
    TraceBuilder builder;
    Action last{};
    for (int i = 0; i < 1000; ++i)
        last = builder.action("action" + std::to_string(i));
    const auto trace = builder.finish();
    EXPECT_EQ(trace->unknownActions.size(), 200u);
    EXPECT_EQ(trace->actionName(last), "(other)");
    EXPECT_FALSE(
        isAllocationAction(last) || isFreeAction(last) || isReservingAction(last) || isReleasingAction(last));
}

TEST(TraceBuilder, NumbersStreamsAndPoolsInOrderOfAppearance)
{
    TraceBuilder builder;
    EXPECT_EQ(builder.stream(0x7f00), StreamId(0u));
    EXPECT_EQ(builder.stream(0), StreamId(1u));
    EXPECT_EQ(builder.stream(0x7f00), StreamId(0u));
    EXPECT_EQ(builder.pool({0, 1}), PoolId(0u));
    EXPECT_EQ(builder.pool({0, 0}), PoolId(1u));
    EXPECT_EQ(builder.pool({0, 1}), PoolId(0u));
}

TEST(Trace, LabelsStreams)
{
    TraceBuilder builder;
    const StreamId first = builder.stream(0x7f00);
    const StreamId main = builder.stream(0);
    const StreamId second = builder.stream(0x8f00);
    const auto trace = builder.finish();
    EXPECT_EQ(trace->streamLabel(main), "stream 0");
    EXPECT_EQ(trace->streamLabel(first), "stream 1 (0x7f00)");
    EXPECT_EQ(trace->streamLabel(second), "stream 2 (0x8f00)");
    EXPECT_EQ(trace->streamLabel({}), "stream not recorded");
}

TEST(Trace, LabelsPools)
{
    TraceBuilder builder;
    const PoolId main = builder.pool({0, 0});
    const auto trace = builder.finish();
    EXPECT_EQ(trace->poolLabel(main), "default pool");
    EXPECT_EQ(trace->poolLabel({}), "pool not recorded");
}

TEST(Trace, HasTimesOnceOneEventHasOne)
{
    EXPECT_FALSE(test::traceFromText("alloc a 1\nend")->hasTimes(0));
    EXPECT_TRUE(test::traceFromText("alloc a 1\nalloc b 1 t=5\nend")->hasTimes(0));
}

TEST(TraceBuilder, KeepsDevicesOfTwoProcessesApart)
{
    TraceBuilder builder;
    builder.device(DeviceKind::Cuda, 0, 22);
    builder.device(DeviceKind::Cuda, 0, 11);
    EXPECT_EQ(builder.device(DeviceKind::Cuda, 0, 22), DeviceIndex{0});
    const auto trace = builder.finish();
    ASSERT_EQ(trace->devices.size(), 2u);
    EXPECT_EQ(trace->devices[0].label(), "cuda:0 · pid 11");
    EXPECT_EQ(trace->devices[1].label(), "cuda:0 · pid 22");
}

TEST(Span, IsOfDevicesOfItsOrdinalAndItsProcess)
{
    Device device;
    Span span;
    EXPECT_TRUE(span.isOf(device));
    span.process = 11;
    EXPECT_TRUE(span.isOf(device));
    device.process = 22;
    EXPECT_FALSE(span.isOf(device));
    span.process = 22;
    EXPECT_TRUE(span.isOf(device));
    device.ordinal = 1;
    EXPECT_FALSE(span.isOf(device));
    span.deviceOrdinal = Span::kAllDevices;
    EXPECT_TRUE(span.isOf(device));
}

TEST(StreamLabel, OfASmallHandleIsTheHandleItself)
{
    TraceBuilder builder;
    const StreamId pointer = builder.stream(0x7f00);
    const StreamId number = builder.stream(7);
    const auto trace = builder.finish();
    EXPECT_EQ(trace->streamLabel(number), "stream 7");
    EXPECT_EQ(trace->streamLabel(pointer), "stream 1 (0x7f00)");
}

} // namespace highwater
