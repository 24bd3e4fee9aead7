#include "core/analysis/cut/cut_trace.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/usage/usage_curve.h"
#include "tests/support/import_bytes.h"
#include "tests/support/random_trace.h"
#include "tests/support/snapshot_builder.h"

namespace highwater {

using test::Random;
using test::randomTrace;
using test::SnapshotBuilder;

namespace {

constexpr Address kFirstSegment = 0x10000000;
constexpr Address kSecondSegment = 0x20000000;

/// 1.5 MiB and 2 MiB are allocated in a segment of 20 MiB, the first of them is freed, and 12 MiB are
/// allocated in a separate segment, which is released at the end.
std::shared_ptr<const Trace> smallTrace()
{
    return SnapshotBuilder()
        .event(Action::SegmentAlloc, kFirstSegment, 20 * kMiB)
        .alloc(kFirstSegment, 3 * kMiB / 2)
        .alloc(kFirstSegment + 2 * kMiB, 2 * kMiB)
        .free(kFirstSegment, 3 * kMiB / 2)
        .filled(kSecondSegment, 12 * kMiB)
        .free(kSecondSegment, 12 * kMiB)
        .event(Action::SegmentFree, kSecondSegment, 12 * kMiB)
        .segment(kFirstSegment, {{2 * kMiB, 0}, {2 * kMiB, 2 * kMiB}, {16 * kMiB, 0}})
        .finish();
}

CutTrace cutOf(const Trace& trace, std::int64_t first, std::int64_t last, const CutTexts& texts = {})
{
    Result<CutTrace> cut = cutTrace(trace, {{0, first, last}}, texts);
    EXPECT_TRUE(cut.has_value());
    return cut ? *std::move(cut) : CutTrace{};
}

std::vector<Bytes> liveAfterEach(const Trace& trace, std::int64_t first, std::int64_t last)
{
    const AllocationTable allocations(trace, 0);
    const UsageCurve curve(trace, allocations);
    std::vector<Bytes> totals;
    for (std::int64_t event = first - 1; event < last; ++event)
        totals.push_back(curve.at(event));
    return totals;
}

Bytes reservedAtEndOf(const Trace& trace)
{
    const AllocationTable allocations(trace, 0);
    return *UsageCurve(trace, allocations).reservedAt(trace.eventCount(0) - 1);
}

/// Returns any range of the trace, possibly empty.
CutRange randomRange(Random& random, const Trace& trace)
{
    const std::int64_t events = trace.eventCount(0);
    const std::int64_t a = random.below(events + 1);
    const std::int64_t b = random.below(events + 1);
    return {0, std::min(a, b), std::max(a, b)};
}

} // namespace

TEST(CutTrace, KeepsTheEventsOfTheRange)
{
    const std::shared_ptr<const Trace> trace = smallTrace();
    const CutTrace cut = cutOf(*trace, 2, 7);
    ASSERT_EQ(cut.trace->eventCount(0), 5);
    for (std::int64_t event = 0; event < 5; ++event) {
        EXPECT_EQ(cut.trace->events.action[cut.trace->row(0, event)],
            trace->events.action[trace->row(0, event + 2)]);
        EXPECT_EQ(
            cut.trace->events.size[cut.trace->row(0, event)], trace->events.size[trace->row(0, event + 2)]);
    }
}

TEST(CutTrace, HasTheSegmentsOfTheRangesEndAndNotThoseOfTheFiles)
{
    const CutTrace cut = cutOf(*smallTrace(), 0, 7); // directly after the 12 MiB were allocated
    const SegmentRange segments = cut.trace->segmentsOf(0);
    ASSERT_EQ(segments.size(), 2u);
    EXPECT_EQ(segments[1].address, kSecondSegment);
    EXPECT_EQ(segments[1].totalSize, 12 * kMiB);
    EXPECT_EQ(reservedAtEndOf(*cut.trace), 32 * kMiB);
}

TEST(CutTrace, BringsBackWhatWasFreedAfterTheRange)
{
    const CutTrace cut = cutOf(*smallTrace(), 0, 3); // both small allocations are live
    const BlockRange blocks = cut.trace->segments.blocksOf(cut.trace->segmentsOf(0).front());
    ASSERT_EQ(blocks.size(), 4u);
    EXPECT_EQ(blocks[0].requestedSize, 3 * kMiB / 2);
    EXPECT_TRUE(blocks[0].isLive());
    EXPECT_FALSE(blocks[1].isLive());
    EXPECT_EQ(blocks[2].requestedSize, 2 * kMiB);
    EXPECT_TRUE(blocks[2].isLive());
    EXPECT_FALSE(blocks[3].isLive());
}

TEST(CutTrace, KeepsWhatWasAllocatedBeforeTheRangeAsABlock)
{
    const CutTrace cut = cutOf(*smallTrace(), 3, 5);
    EXPECT_EQ(liveAfterEach(*cut.trace, 0, 2), (std::vector<Bytes>{7 * kMiB / 2, 7 * kMiB / 2, 2 * kMiB}));
}

TEST(CutTrace, TakesTheFilesOwnSegmentsWhereTheRangeEndsWithTheFile)
{
    const CutTrace cut = cutOf(*smallTrace(), 5, 10);
    EXPECT_TRUE(cut.reservations.empty());
    const BlockRange blocks = cut.trace->segments.blocksOf(cut.trace->segmentsOf(0).front());
    ASSERT_EQ(blocks.size(), 3u);
    EXPECT_EQ(blocks[0].size, 2 * kMiB);
}

TEST(CutTrace, OfNoEventsIsTheStateBeforeTheFirst)
{
    const CutTrace cut = cutOf(*smallTrace(), 0, 0);
    EXPECT_EQ(cut.trace->eventCount(0), 0);
    EXPECT_TRUE(cut.trace->segmentsOf(0).empty());
}

TEST(CutTrace, HasOnlyTheTextsAndStacksThatItsRowsNeed)
{
    const std::shared_ptr<const Trace> trace = randomTrace(1);
    const CutTrace cut = cutOf(*trace, 10, 12);
    EXPECT_LT(cut.trace->stacks.nodeCount(), trace->stacks.nodeCount());
    EXPECT_LT(cut.trace->strings.size(), trace->strings.size());
}

TEST(CutTrace, PassesEveryTextThatItKeeps)
{
    CutTexts texts;
    texts.file = [](std::string_view) { return std::string("FILE"); };
    texts.other = [](std::string_view) { return std::string("TEXT"); };
    const CutTrace cut = cutOf(*randomTrace(1), 0, 100, texts);
    for (std::size_t id = 0; id < cut.trace->strings.size(); ++id) {
        const std::string_view text = cut.trace->strings.view(StringId(id));
        EXPECT_TRUE(text == "FILE" || text == "TEXT") << text;
    }
}

TEST(CutTrace, SaysWhichPartOfTheRecordingItIs)
{
    const CutTrace cut = cutOf(*smallTrace(), 3, 5);
    EXPECT_EQ(cut.trace->metadata.producer.back(), NamedText("cut", "events 3 to 4 of 10 of cuda:0"));
}

TEST(CutTrace, LeavesOutAnnotationsThatLieOutsideOfTheRange)
{
    TraceBuilder builder;
    const StreamId stream = builder.stream(0);
    for (const Nanoseconds time : {1000, 2000, 3000, 4000})
        builder.addEvent({Action::Alloc, static_cast<Address>(time), 512, time, stream, {}, {}, {}, {}});
    const DeviceIndex device = builder.device(DeviceKind::Cuda, 0);
    builder.assignEvents(device, {{0, 4}});
    for (const auto& [name, begin, end] : {std::tuple("before", 500, 1500), std::tuple("across", 1500, 2500),
             std::tuple("around", 0, 9000), std::tuple("after", 3500, 4500)})
        builder.addSpan({SpanKind::Annotation, builder.strings().intern(name), 0, Span::kAnyProcess, begin,
            end, false, false, 0});
    const CutTrace cut = cutOf(*builder.finish(), 1, 3);
    std::vector<std::string_view> names;
    for (const Span& span : cut.trace->spans)
        names.push_back(cut.trace->text(span.name));
    EXPECT_EQ(names, (std::vector<std::string_view>{"around", "across"}));
}

TEST(CutTrace, RefusesWhatDoesNotSayWhatIsInUseAtItsEnd)
{
    TraceBuilder builder;
    builder.deviceRow(builder.device(DeviceKind::Cuda, 0)).hasFinalSegments = false;
    const std::shared_ptr<const Trace> trace = builder.finish();
    EXPECT_NE(reasonNotToCut(*trace), "");
    EXPECT_EQ(cutTrace(*trace, {{0, 0, 0}}).error().code, ErrorCode::BadRequest);
}

TEST(CutTrace, RefusesAFileThatEndsEarly)
{
    TraceBuilder builder;
    builder.deviceRow(builder.device(DeviceKind::Cuda, 0)).eventsRead = Extent::Part;
    EXPECT_EQ(cutTrace(*builder.finish(), {{0, 0, 0}}).error().code, ErrorCode::BadRequest);
}

TEST(RandomCuts, HaveTheLiveBytesOfTheWholeAfterEveryKeptEvent)
{
    Random random(7);
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        const std::shared_ptr<const Trace> trace = randomTrace(seed);
        const CutRange range = randomRange(random, *trace);
        const CutTrace cut = cutOf(*trace, range.first, range.last);
        EXPECT_EQ(liveAfterEach(*cut.trace, 0, range.last - range.first),
            liveAfterEach(*trace, range.first, range.last))
            << "seed " << seed << ", events " << range.first << " to " << range.last;
        EXPECT_EQ(cut.largestDifference, 0);
    }
}

TEST(RandomCuts, OfCutsAreThoseOfTheWhole)
{
    Random random(8);
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        const std::shared_ptr<const Trace> trace = randomTrace(seed);
        const CutRange outer = randomRange(random, *trace);
        const CutTrace once = cutOf(*trace, outer.first, outer.last);
        const CutRange inner = randomRange(random, *once.trace);
        const CutTrace twice = cutOf(*once.trace, inner.first, inner.last);
        EXPECT_EQ(liveAfterEach(*twice.trace, 0, inner.last - inner.first),
            liveAfterEach(*trace, outer.first + inner.first, outer.first + inner.last))
            << seed;
    }
}

TEST(RandomCuts, OfContradictoryFilesSayByHowMuchTheyAreWrong)
{
    Random random(9);
    bool anyDiffers = false;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        test::RandomTraceOptions options;
        options.consistent = false;
        const std::shared_ptr<const Trace> trace = randomTrace(seed, options);
        const CutRange range = randomRange(random, *trace);
        const CutTrace cut = cutOf(*trace, range.first, range.last);
        const auto part = liveAfterEach(*cut.trace, 0, range.last - range.first);
        const auto whole = liveAfterEach(*trace, range.first, range.last);
        Bytes largest = 0;
        for (std::size_t i = 0; i < part.size(); ++i)
            largest = std::max(largest, std::abs(part[i] - whole[i]));
        EXPECT_EQ(cut.largestDifference, largest) << seed;
        anyDiffers = anyDiffers || largest > 0;
    }
    EXPECT_TRUE(anyDiffers);
}

TEST(CutTrace, SharesNoSourceCodeOfARecordingWithChangedTexts)
{
    const Result<ImportedTrace> imported = test::importBytes(R"({"segments": [], "device_traces": [[
        {"action": "alloc", "addr": 4096, "size": 512, "stream": 0, "frames": []},
        {"action": "free_requested", "addr": 4096, "size": 512, "stream": 0},
        {"action": "free_completed", "addr": 4096, "size": 512, "stream": 0}]],
        "source_code": {"a.py": "secret"}})");
    ASSERT_TRUE(imported);
    EXPECT_EQ(cutOf(*imported->trace, 0, 2).trace->metadata.unknownEntries.size(), 1u);
    const auto same = [](std::string_view text) { return std::string(text); };
    EXPECT_TRUE(cutOf(*imported->trace, 0, 2, {same, same}).trace->metadata.unknownEntries.empty());
}

} // namespace highwater
