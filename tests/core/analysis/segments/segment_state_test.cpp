#include "core/analysis/segments/segment_state.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/usage/usage_curve.h"
#include "tests/support/allocator_replay.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/snapshot_builder.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

struct History
{
    explicit History(std::shared_ptr<const Trace> of, DeviceIndex device = 0)
        : trace(std::move(of))
        , allocations(*trace, device)
        , live(allocations)
        , curve(*trace, allocations)
        , segments(*trace, allocations, live)
    {
    }
    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    LiveIndex live;
    UsageCurve curve;
    SegmentHistory segments;
};

std::shared_ptr<const Trace> load(const std::string& path)
{
    return loadFile(path, {})->trace;
}

/// Checks rules for every state, even of inconsistent files: nothing overlaps, everything adds up.
void expectFilledSegments(const SegmentState& state)
{
    Bytes reserved = 0;
    Address end = 0;
    for (const SegmentAt& segment : state.segments) {
        ASSERT_GE(segment.range.begin, end);
        Address at = segment.range.begin;
        bool afterHole = false;
        for (std::uint32_t b = segment.blocks.first; b < segment.blocks.last; ++b) {
            const BlockAt& block = state.blocks[b];
            ASSERT_EQ(block.address, at);
            ASSERT_GT(block.size, 0);
            ASSERT_FALSE(afterHole && block.isFreeBlock());
            afterHole = block.isFreeBlock();
            at = block.end();
        }
        ASSERT_EQ(at, segment.range.end());
        ASSERT_EQ(segment.liveBytes() + segment.freeBytes, segment.range.size);
        reserved += segment.range.size;
        end = segment.range.end();
    }
    ASSERT_EQ(reserved, state.reservedBytes);
    ASSERT_EQ(state.liveBytes() + state.freeBytes, state.reservedBytes);
}

/// Checks rules that also apply if the file is consistent.
void expectKnownTotals(const History& h, const SegmentState& state)
{
    ASSERT_EQ(state.reservedBytes, h.curve.reservedAt(state.event)) << "event " << state.event;
    ASSERT_EQ(state.requestedBytes, h.curve.at(state.event)) << "event " << state.event;
    ASSERT_EQ(state.outsideAllocationCount, 0);
    ASSERT_EQ(state.clippedBlockCount, 0) << "event " << state.event;
    ASSERT_EQ(state.contradictionCount, 0);
}

void expectSameBlocks(const SegmentState& state, const test::AllocatorReplay& replay)
{
    ASSERT_EQ(state.blocks.size(), replay.pieces().size()) << "event " << state.event;
    auto piece = replay.pieces().begin();
    for (const BlockAt& block : state.blocks) {
        ASSERT_EQ(block.address, piece->first);
        ASSERT_EQ(block.size, piece->second.size) << "event " << state.event;
        ASSERT_EQ(!block.isFreeBlock(), piece->second.live);
        ASSERT_EQ(block.state == BlockState::PendingFree, piece->second.live && piece->second.pending);
        ++piece;
    }
}

class SampleFromNothing : public testing::TestWithParam<const char*>
{
};

class AnySample : public testing::TestWithParam<std::string>
{
};

class RealAllocator : public testing::TestWithParam<const char*>
{
};

class OnRandomSegments : public testing::TestWithParam<std::uint32_t>
{
};

} // namespace

TEST(SegmentState, OfEventsAloneSaysNothingOfSegments)
{
    TraceBuilder builder;
    const DeviceIndex device = builder.device(DeviceKind::Cuda, 0);
    builder.deviceRow(device).hasFinalSegments = false;
    builder.addEvent({Action::Alloc, 1, 512, 0, {}, {}, {}, {}, {}});
    builder.assignEvents(device, {{0, 1}});
    const History history(builder.finish());
    const SegmentState state = history.segments.at(0);
    EXPECT_FALSE(state.recorded);
    EXPECT_TRUE(reservations(state).empty());
    EXPECT_TRUE(test::hasParts(momentHeadline(allocatorMomentAt(history.segments, 0)), {"segments"}));
}

TEST(SegmentState, ShowsBlocksAndHolesOfTheHandCheckedSample)
{
    const History h(load(test::samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst")));
    const SegmentState state = h.segments.at(15);
    expectFilledSegments(state);
    EXPECT_EQ(state.segments.size(), 3u);
    EXPECT_EQ(state.reservedBytes, 44'040'192);
    EXPECT_EQ(state.activeBytes, 4'194'304 + 1'024 + 4'194'304 + 4'194'304);
    EXPECT_EQ(state.freeBlockCount, 3);
    EXPECT_EQ(state.segments[0].largestFree, 12'582'912);
}

TEST(SegmentState, HasSegmentsOnlyWhileTheyAreReserved)
{
    const History h(load(test::samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst")));
    EXPECT_EQ(h.segments.at(-1).segments.size(), 0u);
    EXPECT_EQ(h.segments.at(0).segments.size(), 1u);
    EXPECT_EQ(h.segments.at(0).freeBytes, 20'971'520);
    EXPECT_EQ(h.segments.at(17).segments.size(), 3u);
    EXPECT_EQ(h.segments.at(18).segments.size(), 2u);
}

TEST(SegmentState, ShowsAFreeThatIsAwaited)
{
    const History h(load(test::samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst")));
    EXPECT_EQ(h.segments.at(19).pendingBytes, 0);
    EXPECT_EQ(h.segments.at(20).pendingBytes, 1'024);
    EXPECT_EQ(h.segments.at(21).pendingBytes, 1'024);
    EXPECT_EQ(h.segments.at(7).pendingBytes, 307'200) << "between free_requested and free_completed";
    EXPECT_EQ(h.segments.at(8).pendingBytes, 0);
}

TEST(SegmentState, SaysWhatIsNotKnownWithoutSegments)
{
    const History h(test::traceFromText("alloc a 10\nalloc b 5\nfree a"));
    const SegmentState state = h.segments.at(1);
    EXPECT_TRUE(state.segments.empty());
    EXPECT_EQ(state.outsideAllocationCount, 2);
    EXPECT_EQ(state.outsideBytes, 15);
    EXPECT_FALSE(state.isExact());
    ASSERT_EQ(reservations(state).size(), 1u);
    EXPECT_TRUE(test::hasParts(reservations(state)[0], {"2 live allocations (15 B in use)"}));
}

TEST_P(SampleFromNothing, IsWhatTheAllocatorHadAfterEachEvent)
{
    const History h(load(test::samplePath(GetParam())));
    test::AllocatorReplay replay(*h.trace);
    for (std::int64_t event = 0; event < h.trace->eventCount(0); ++event) {
        replay.step();
        if (event % 7 != 0 && event + 50 < h.trace->eventCount(0))
            continue;
        const SegmentState state = h.segments.at(event);
        expectFilledSegments(state);
        expectKnownTotals(h, state);
        expectSameBlocks(state, replay);
        if (HasFatalFailure())
            return;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleFromNothing,
    testing::Values("pytorch-snapshot/tiny-hand-checked.pickle.zst",
        "pytorch-snapshot/training-6-steps-bare.pickle.zst",
        "pytorch-snapshot/expandable-segments.pickle.zst", "pytorch-snapshot/private-pool.pickle.zst",
        "pytorch-snapshot/two-streams-record-stream.pickle.zst",
        "pytorch-snapshot/oom-fragmentation.pickle.zst", "pytorch-snapshot/oom-too-big.pickle.zst"));

TEST_P(AnySample, AddsUpAtAnyEvent)
{
    const std::shared_ptr<const Trace> trace = load(test::samplePath(GetParam()));
    for (DeviceIndex device = 0; device < trace->devices.size(); ++device) {
        const History h(trace, device);
        test::Random random(5);
        for (int i = 0; i < 30; ++i) {
            const SegmentState state = h.segments.at(random.below(trace->eventCount(device) + 1) - 1);
            expectFilledSegments(state);
            expectKnownTotals(h, state);
            if (HasFatalFailure())
                return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, AnySample, testing::ValuesIn(test::sampleNames("pytorch-snapshot")),
    [](const auto& which) { return test::testNameOf(which.param); });

TEST_P(RealAllocator, AddsUpAtAnyEvent)
{
    const auto path = test::realFilePath(GetParam());
    SKIP_WITHOUT_REAL_FILE(path);
    const History h(load(*path));
    test::Random random(3);
    for (int i = 0; i < 60; ++i) {
        const SegmentState state = h.segments.at(random.below(h.trace->eventCount(0) + 1) - 1);
        expectFilledSegments(state);
        expectKnownTotals(h, state);
        if (HasFatalFailure())
            return;
    }
}

/// The snapshot has the true sizes of the blocks that remain.
TEST_P(RealAllocator, HasTheBlockSizesThatTheRuleGives)
{
    const auto path = test::realFilePath(GetParam());
    SKIP_WITHOUT_REAL_FILE(path);
    const History h(load(*path));
    if (h.allocations.eventCount() == 0)
        GTEST_SKIP() << "the file holds no events";
    int compared = 0;
    for (auto i = static_cast<AllocationIndex>(h.allocations.olderCount()); i < h.allocations.size(); ++i)
        if (const Bytes block = h.allocations.blockBytes(i); block > 0) {
            ++compared;
            ASSERT_EQ(h.segments.sizes().byRule(i).bytes, block)
                << "alloc event " << h.allocations.birth(i) << ", requested " << h.allocations.bytes(i);
        }
    EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Data, RealAllocator,
    testing::Values("snapshots/transformer-fullstep.pickle", "snapshots/small-model-with-segments.pickle",
        "snapshots/from-zero-small.pickle", "snapshots/gpt-medium-ctx1024-training.pickle",
        "snapshots/gpt-medium-ctx256-training.pickle", "snapshots/transformer-forward-mixed.pickle",
        "snapshots/two-devices-no-trace-fragmented.pickle", "snapshots/verl-private-pools-no-trace.pickle"));

TEST_P(OnRandomSegments, FillsSegmentsWhateverTheFileSays)
{
    const History h(test::randomTrace(GetParam(), {.events = 300, .consistent = GetParam() % 2 == 0}));
    for (std::int64_t event = -1; event < h.trace->eventCount(0); event += 7) {
        expectFilledSegments(h.segments.at(event));
        if (HasFatalFailure())
            return;
    }
}

/// Many times as many changes as between two checkpoints, in several chunks of ranges.
TEST_P(OnRandomSegments, HasExactlyThePagesThatWereMappedAtAnyEvent)
{
    constexpr std::size_t pages = 2000;
    constexpr Bytes page = 2 * kMiB;
    constexpr Address base = 0x7000'0000'0000;
    const auto addressOf = [](std::size_t index) { return base + index * static_cast<Address>(page); };
    test::Random random(GetParam());
    test::SnapshotBuilder builder;
    std::vector<bool> mapped(pages);
    std::vector<std::vector<bool>> after;
    for (int event = 0; event < 6000; ++event) {
        const auto first = static_cast<std::size_t>(random.below(pages - 3));
        const std::size_t last = first + (random.oneIn(5) ? 3 : 1);
        const bool is = mapped[first];
        if (std::count(mapped.begin() + static_cast<std::ptrdiff_t>(first),
                mapped.begin() + static_cast<std::ptrdiff_t>(last), is)
            == static_cast<std::ptrdiff_t>(last - first)) {
            builder.event(is ? Action::SegmentUnmap : Action::SegmentMap, addressOf(first),
                static_cast<Bytes>(last - first) * page);
            std::fill(mapped.begin() + static_cast<std::ptrdiff_t>(first),
                mapped.begin() + static_cast<std::ptrdiff_t>(last), !is);
            after.push_back(mapped);
        }
    }
    for (std::size_t first = 0; first < pages; ++first) {
        std::size_t last = first;
        while (last < pages && mapped[last])
            ++last;
        if (last > first)
            builder.segment(addressOf(first), {{static_cast<Bytes>(last - first) * page, 0}}, true);
        first = last;
    }
    const History h(builder.finish());
    ASSERT_GT(after.size(), 3000u);
    for (std::size_t event = 0; event < after.size(); event += 61) {
        const SegmentState state = h.segments.at(static_cast<std::int64_t>(event));
        std::vector<bool> found(pages);
        for (const SegmentAt& segment : state.segments)
            for (Address at = segment.range.begin; at < segment.range.end(); at += static_cast<Address>(page))
                found[(at - base) / static_cast<Address>(page)] = true;
        ASSERT_EQ(found, after[event]) << "event " << event;
        ASSERT_EQ(state.reservedBytes, h.curve.reservedAt(state.event));
        ASSERT_EQ(state.contradictionCount, 0);
        expectFilledSegments(state);
    }
    EXPECT_EQ(h.segments.at(-1).reservedBytes, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, OnRandomSegments, testing::Range(1u, 13u));

} // namespace highwater
