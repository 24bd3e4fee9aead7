#include "importers/pytorch_snapshot/snapshot_writer.h"

#include <gtest/gtest.h>

#include "core/analysis/cut/cut_trace.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/trace/trace_builder.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/import_bytes.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

std::string writtenBytes(const Trace& trace)
{
    std::string bytes;
    const Result<void> written = writeSnapshot(trace, [&](std::string_view piece) {
        bytes += piece;
        return true;
    });
    EXPECT_TRUE(written.has_value()) << (written ? "" : written.error().message);
    return bytes;
}

std::shared_ptr<const Trace> readBack(const Trace& trace)
{
    const Result<ImportedTrace> read = test::importBytes(writtenBytes(trace));
    EXPECT_TRUE(read.has_value()) << (read ? "" : toText(read.error()));
    return read ? read->trace : std::make_shared<const Trace>();
}

std::shared_ptr<const Trace> sample(const std::string& name)
{
    return test::importBytes(test::readWholeFile(test::samplePath(name)))->trace;
}

class SnapshotSample : public testing::TestWithParam<std::string>
{
};

} // namespace

/// The parts that are not written do not affect the recording, such as how old releases store the requested
/// sizes of blocks.
TEST_P(SnapshotSample, IsTheSameAfterItWasWrittenAndRead)
{
    const std::shared_ptr<const Trace> trace = sample(GetParam());
    const std::shared_ptr<const Trace> again = readBack(*trace);
    EXPECT_EQ(dumpTrace(*readBack(*again)), dumpTrace(*again));
    ASSERT_EQ(again->events.rows(), trace->events.rows());
    for (std::size_t row = 0; row < trace->events.rows(); ++row) {
        EXPECT_EQ(again->events.action[row], trace->events.action[row]);
        EXPECT_EQ(again->events.address[row], trace->events.address[row]);
        EXPECT_EQ(again->events.size[row], trace->events.size[row]);
        EXPECT_EQ(again->events.time[row], trace->events.time[row]);
        EXPECT_EQ(again->text(again->events.details.get(row)), trace->text(trace->events.details.get(row)));
    }
    EXPECT_EQ(again->metadata.settings, trace->metadata.settings);
    EXPECT_EQ(again->metadata.unknownEntries, trace->metadata.unknownEntries);
    EXPECT_EQ(again->metadata.startLost, trace->metadata.startLost);
    EXPECT_EQ(again->spans.size(), trace->spans.size());
    ASSERT_EQ(again->devices.size(), trace->devices.size());
    for (DeviceIndex device = 0; device < trace->devices.size(); ++device) {
        const AllocationTable before(*trace, device);
        const AllocationTable after(*again, device);
        ASSERT_EQ(after.size(), before.size());
        for (AllocationIndex i = 0; i < before.size(); ++i) {
            EXPECT_EQ(after.bytes(i), before.bytes(i));
            EXPECT_EQ(after.stack(i).isNone() ? 0u : again->stacks.frames(after.stack(i)).size(),
                before.stack(i).isNone() ? 0u : trace->stacks.frames(before.stack(i)).size());
        }
        EXPECT_EQ(UsageCurve(*again, after).reservedPeak(), UsageCurve(*trace, before).reservedPeak());
    }
}

INSTANTIATE_TEST_SUITE_P(All, SnapshotSample, testing::ValuesIn(test::sampleNames("pytorch-snapshot")),
    [](const auto& sample) { return test::testNameOf(sample.param); });

TEST(SnapshotWriter, WritesAnnotationsThatLackAnEndAsTheyWere)
{
    TraceBuilder builder;
    builder.device(DeviceKind::Cuda, 0);
    builder.addSpan({SpanKind::Annotation, builder.strings().intern("open"), 0, Span::kAnyProcess, 2000, 9000,
        false, true, 0});
    builder.addSpan({SpanKind::Annotation, builder.strings().intern("whole"), 0, Span::kAnyProcess, 3000,
        9000, false, false, 0});
    const std::shared_ptr<const Trace> again = readBack(*builder.finish());
    ASSERT_EQ(again->spans.size(), 2u);
    EXPECT_TRUE(again->spans[0].endMissing);
    EXPECT_FALSE(again->spans[1].endMissing);
}

TEST(SnapshotWriter, KeepsAddressesOfTheUpperHalf)
{
    TraceBuilder builder;
    constexpr Address kHigh = 0xffff800000000000u;
    builder.addEvent({Action::Alloc, kHigh, 512, 0, builder.stream(0), {}, {}, {}, {}});
    builder.addEvent({Action::Alloc, kHigh + 512, 512, 0, builder.stream(0), {}, {}, {}, {}});
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, 2}});
    const std::shared_ptr<const Trace> again = readBack(*builder.finish());
    ASSERT_EQ(again->events.rows(), 2u);
    EXPECT_EQ(again->events.address[0], kHigh);
}

TEST(SnapshotWriter, ReplacesBytesThatAreNoText)
{
    TraceBuilder builder;
    const Frame frame{
        builder.strings().intern("f\xff"), builder.strings().intern("a.py"), 3, FrameKind::Python, {}};
    const StackId stack
        = builder.stacks().internNode(builder.stacks().internFrame(frame), StackTable::kEmpty);
    for (const Address address : {Address{4096}, Address{8192}})
        builder.addEvent({Action::Alloc, address, 512, 0, builder.stream(0), stack, {}, {}, {}});
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, 2}});
    const std::shared_ptr<const Trace> again = readBack(*builder.finish());
    const Frame read = again->stacks.frame(again->stacks.innermost(again->events.stack[0]));
    EXPECT_EQ(again->text(read.function), "f\xEF\xBF\xBD");
}

TEST(SnapshotWriter, SaysWhatAPartIsAPartOf)
{
    const std::shared_ptr<const Trace> trace = test::randomTrace(3);
    const std::shared_ptr<const Trace> again = readBack(*cutTrace(*trace, {{0, 5, 20}})->trace);
    EXPECT_EQ(again->metadata.producer.back(), NamedText("cut", "events 5 to 19 of 300 of cuda:0"));
    EXPECT_TRUE(std::ranges::any_of(
        again->log.entries(), [](const ImportLogEntry& entry) { return entry.code == "cut"; }));
}

TEST(SnapshotWriter, StopsWhereTheSinkFails)
{
    const Result<void> written = writeSnapshot(*test::randomTrace(3), [](std::string_view) { return false; });
    EXPECT_EQ(written.error().code, ErrorCode::CannotRead);
}

TEST(SnapshotWriter, RefusesWhatDoesNotEndInSegments)
{
    TraceBuilder builder;
    builder.deviceRow(builder.device(DeviceKind::Cuda, 0)).hasFinalSegments = false;
    const Result<void> written = writeSnapshot(*builder.finish(), [](std::string_view) { return true; });
    EXPECT_EQ(written.error().code, ErrorCode::BadRequest);
}

TEST(RandomCuts, ReadBackWithTheSameLiveBytesAfterEveryEvent)
{
    test::Random random(11);
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const std::shared_ptr<const Trace> trace = test::randomTrace(seed);
        const std::int64_t events = trace->eventCount(0);
        const std::int64_t first = random.below(events - 1);
        const std::int64_t last = first + 2 + random.below(events - first - 1);
        const std::shared_ptr<const Trace> again = readBack(*cutTrace(*trace, {{0, first, last}})->trace);
        ASSERT_EQ(again->eventCount(0), last - first);
        const AllocationTable before(*trace, 0);
        const AllocationTable after(*again, 0);
        const UsageCurve whole(*trace, before);
        const UsageCurve part(*again, after);
        for (std::int64_t event = first - 1; event < last; ++event)
            ASSERT_EQ(part.at(event - first), whole.at(event)) << "seed " << seed << ", event " << event;
    }
}

} // namespace highwater
