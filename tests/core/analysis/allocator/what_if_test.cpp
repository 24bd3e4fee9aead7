#include "core/analysis/allocator/what_if.h"

#include <gtest/gtest.h>

#include "core/analysis/allocator/replay.h"
#include "core/analysis/allocator/script_player.h"
#include "tests/support/allocator_invariants.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/random_trace.h"
#include "tests/support/replayed_run.h"
#include "tests/support/snapshot_builder.h"

namespace highwater {

namespace {

using test::expandable;
using test::kA;
using test::kB;
using test::kC;
using test::ReplayedRun;
using test::SnapshotBuilder;

Address at(Address begin, Bytes offset)
{
    return begin + static_cast<Address>(offset);
}

/// Two segments of 30 MiB, each with 2 MiB live at the end. Then 40 MiB are requested while the device has 25
/// MiB free: plain segments cannot provide them, a segment that grows by 20 MiB can.
std::shared_ptr<const Trace> fragmented()
{
    return SnapshotBuilder()
        .filled(kA, 30 * kMiB)
        .filled(kB, 30 * kMiB)
        .free(kA, 30 * kMiB)
        .alloc(kA, 2 * kMiB)
        .alloc(at(kA, 2 * kMiB), 28 * kMiB)
        .free(kB, 30 * kMiB)
        .alloc(kB, 2 * kMiB)
        .free(at(kA, 2 * kMiB), 28 * kMiB)
        .event(Action::Oom, 25 * kMiB, 40 * kMiB)
        .segment(kA, {{2 * kMiB, 2 * kMiB}, {28 * kMiB, 0}})
        .segment(kB, {{2 * kMiB, 2 * kMiB}, {28 * kMiB, 0}})
        .finish();
}

/// Two segments from before recording began: one with a live and a freed block, the other with only a live
/// block.
std::shared_ptr<const Trace> withOlderBlocks()
{
    return SnapshotBuilder()
        .free(at(kA, 6 * kMiB), 8 * kMiB)
        .alloc(at(kA, 6 * kMiB), 4 * kMiB)
        .segment(kA, {{6 * kMiB, 6 * kMiB}, {4 * kMiB, 4 * kMiB}, {10 * kMiB, 0}})
        .segment(kB, {{40 * kMiB, 40 * kMiB}})
        .finish();
}

} // namespace

TEST(WhatIf, IsGivenUpWhereMoreIsReservedThanAsked)
{
    const ReplayedRun run(fragmented());
    const WhatIf change{run.script->settings, {}};
    const WhatIfResult whole = replay(*run.script, change);
    const auto result = replayUnlessWorse(*run.script, change, whole.reservedPeak);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->reserved.size(), whole.reserved.size());
    EXPECT_EQ(result->placedAsRecorded, whole.placedAsRecorded);
    EXPECT_FALSE(replayUnlessWorse(*run.script, change, whole.reservedPeak - 1));
}

TEST(WhatIf, IsGivenUpWhereOnlyTheLastCallReservesMoreThanAsked)
{
    const ReplayedRun run(SnapshotBuilder()
                              .filled(kA, 30 * kMiB)
                              .filled(kB, 30 * kMiB)
                              .segment(kA, {{30 * kMiB, 30 * kMiB}})
                              .segment(kB, {{30 * kMiB, 30 * kMiB}})
                              .finish());
    EXPECT_FALSE(replayUnlessWorse(*run.script, {run.script->settings, {}}, 60 * kMiB - 1));
}

TEST(WhatIf, TheRecordedSettingsGiveTheRecordedCurve)
{
    const ReplayedRun run(fragmented());
    const WhatIfResult result = run.asRecorded();
    EXPECT_EQ(result.reservedPeak, 60 * kMiB);
    EXPECT_EQ(result.reservedPeakEvent, 3);
    EXPECT_EQ(result.allocatedPeak, 60 * kMiB);
    ASSERT_EQ(result.reserved.size(), 3u);
    EXPECT_EQ(result.reserved[1].event, 1);
    EXPECT_EQ(result.reserved[1].bytes, 30 * kMiB);
    EXPECT_EQ(result.placedAsRecorded, 5);
    const ReplayFidelity fidelity = compareWithRecording(*run.script, result);
    EXPECT_EQ(fidelity.exact, fidelity.compared);
    EXPECT_TRUE(fidelity.isTrusted());
    EXPECT_TRUE(fidelity.failuresRepeat);
}

TEST(WhatIf, ARequestThatFailedFitsWithExpandableSegments)
{
    const ReplayedRun run(fragmented());
    EXPECT_EQ(run.asRecorded().failures, (std::vector<FailureOutcome>{{13, 40 * kMiB, false, 0}}));
    const WhatIfResult result = run.with(expandable());
    EXPECT_EQ(result.failures, (std::vector<FailureOutcome>{{13, 40 * kMiB, true, 5 * kMiB}}));
    EXPECT_EQ(result.leastSpareBytes(), 5 * kMiB);
    EXPECT_EQ(result.reservedPeak, 80 * kMiB);
}

TEST(WhatIf, ARemovedAllocationIsNeverMade)
{
    const ReplayedRun run(fragmented());
    const WhatIfResult result = replay(*run.script, {{}, {1}});
    EXPECT_EQ(result.reservedPeak, 50 * kMiB) << "30, and 20 for the last 2";
    EXPECT_EQ(result.allocations, 4);
}

TEST(WhatIf, WhatFailsOnlyNowIsCountedAndLeftOut)
{
    ReplayedRun run(fragmented());
    AllocationScript& script = *run.script;
    script.limit = 55 * kMiB;
    const WhatIfResult result = replay(script, {script.settings, {}});
    EXPECT_EQ(result.newFailures, 1);
    EXPECT_EQ(result.firstNewFailure, 3);
    EXPECT_EQ(result.reservedPeak, 50 * kMiB);
}

TEST(WhatIf, BeginsWithWhatWasThereBeforeTheFirstEvent)
{
    const ReplayedRun run(withOlderBlocks());
    const WhatIfResult result = run.asRecorded();
    EXPECT_EQ(result.reservedPeak, 60 * kMiB);
    EXPECT_EQ(result.reservedPeakEvent, -1);
    EXPECT_EQ(result.allocatedAtPeak, 54 * kMiB);
    EXPECT_EQ(result.freeAtPeak(), 6 * kMiB);
    EXPECT_EQ(result.freeBlocksAtPeak, 1);
    EXPECT_EQ(result.placedAsRecorded, 1);
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

TEST(WhatIf, ARemovedOlderAllocationLeavesItsSegmentUnreservedIfNothingElseLivesThere)
{
    const ReplayedRun run(withOlderBlocks());
    AllocationIndex alone = 0;
    while (run.allocations.bytes(alone) != 40 * kMiB)
        ++alone;
    EXPECT_EQ(replay(*run.script, {{}, {alone}}).reservedPeak, 20 * kMiB);
    AllocationIndex shared = 0;
    while (run.allocations.bytes(shared) != 6 * kMiB)
        ++shared;
    const WhatIfResult result = replay(*run.script, {{}, {shared}});
    EXPECT_EQ(result.reservedPeak, 60 * kMiB);
    EXPECT_EQ(result.allocatedAtPeak, 48 * kMiB);
}

TEST(WhatIf, ARemovedOlderAllocationUnmapsItsWholePages)
{
    const ReplayedRun run(SnapshotBuilder()
                              .setting("expandable_segments", "true")
                              .event(Action::Snapshot, 0, 0)
                              .segment(kA, {{50 * kMiB, 50 * kMiB}, {30 * kMiB, 30 * kMiB}}, true)
                              .finish());
    EXPECT_EQ(run.asRecorded().reservedPeak, 80 * kMiB);
    AllocationIndex first = run.allocations.bytes(0) == 50 * kMiB ? 0 : 1;
    EXPECT_EQ(replay(*run.script, {run.script->settings, {first}}).reservedPeak, 40 * kMiB);
}

TEST(WhatIf, ARestTooSmallToBeABlockBelongsToTheFreedBlockBeforeIt)
{
    const ReplayedRun run(
        SnapshotBuilder()
            .free(kA, 5 * kMiB)
            .alloc(kA, 5 * kMiB + kMiB / 2)
            .segment(kA, {{5 * kMiB + kMiB / 2, 5 * kMiB + kMiB / 2}, {14 * kMiB + kMiB / 2, 14 * kMiB}})
            .finish());
    EXPECT_EQ(run.asRecorded().allocatedAtPeak, 20 * kMiB);
    EXPECT_EQ(run.asRecorded().placedAsRecorded, 1);
}

TEST(WhatIf, SaysWhereAReplayDeviates)
{
    const ReplayedRun run(SnapshotBuilder()
                              .event(Action::SegmentAlloc, kA, 20 * kMiB)
                              .alloc(kA, 2 * kMiB)
                              .event(Action::SegmentAlloc, kB, 20 * kMiB)
                              .alloc(kB, 2 * kMiB)
                              .segment(kA, {{2 * kMiB, 2 * kMiB}, {18 * kMiB, 0}})
                              .segment(kB, {{2 * kMiB, 2 * kMiB}, {18 * kMiB, 0}})
                              .finish());
    const ReplayFidelity fidelity = run.fidelity();
    EXPECT_EQ(fidelity.largestDeviation, -20 * kMiB) << "no rule makes a second segment";
    EXPECT_EQ(fidelity.event, 3);
    EXPECT_EQ(fidelity.recordedAtDeviation, 40 * kMiB);
    EXPECT_DOUBLE_EQ(fidelity.share, 0.5);
    EXPECT_FALSE(fidelity.isTrusted());
    EXPECT_EQ(fidelity.exact, 2);
    EXPECT_EQ(fidelity.compared, 4);
    EXPECT_EQ(fidelity.placedAsRecorded, 1);
    EXPECT_EQ(fidelity.allocations, 2);
    EXPECT_TRUE(test::hasParts(sentenceOf(fidelity),
        {"−20 MiB at event 3", "40 MiB", "2 of 4 compared moments", "1 of 2 allocations"}));
}

TEST(WhatIf, ARunOnTwoStreamsKeepsThemApart)
{
    const ReplayedRun run(SnapshotBuilder()
                              .filled(kA, 30 * kMiB)
                              .free(kA, 30 * kMiB)
                              .segment(kA, {{30 * kMiB, 0}})
                              .onStream(7)
                              .filled(kB, 30 * kMiB)
                              .segment(kB, {{30 * kMiB, 30 * kMiB}})
                              .finish());
    EXPECT_EQ(run.asRecorded().reservedPeak, 60 * kMiB);
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

TEST(WhatIf, APrivatePoolThatGaveMemoryBackGivesItBackInTheReplay)
{
    const ReplayedRun run(SnapshotBuilder()
                              .inPool({0, 1})
                              .filled(kA, 30 * kMiB)
                              .free(kA, 30 * kMiB)
                              .event(Action::SegmentFree, kA, 30 * kMiB)
                              .inPool({})
                              .filled(kC, 30 * kMiB)
                              .segment(kC, {{30 * kMiB, 30 * kMiB}})
                              .finish());
    EXPECT_EQ(run.asRecorded().reservedPeak, 30 * kMiB);
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

namespace {

std::vector<AllocatorSettings> someSettings()
{
    AllocatorSettings both = expandable();
    both.maxSplitSize = 32 * kMiB;
    AllocatorSettings rounded;
    rounded.rounding.divisions.fill(8);
    rounded.garbageCollectionThreshold = 0.5;
    rounded.memoryFraction = 0.5;
    return {{}, expandable(), both, rounded};
}

void expectSoundThroughout(const AllocationScript& script, const WhatIf& change)
{
    ScriptPlayer player(script, change);
    for (const ScriptStep& step : script.steps) {
        player.play(step);
        test::expectSound(player.allocator());
        ASSERT_FALSE(testing::Test::HasFatalFailure()) << "event " << step.event;
    }
}

} // namespace

TEST(WhatIf, AnyTraceWithAnySettingsKeepsTheAllocatorSound)
{
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const ReplayedRun run(
            test::randomTrace(seed, {.events = 200, .consistent = seed % 2 == 0, .maxBytes = 30 * kMiB}));
        ASSERT_TRUE(run.script);
        for (const AllocatorSettings& settings : someSettings())
            expectSoundThroughout(*run.script, {settings, {}});
        expectSoundThroughout(*run.script, {{}, {0, 3, 5}});
        ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
    }
}

TEST(WhatIf, TwoReplaysGiveTheSame)
{
    const ReplayedRun run(test::randomTrace(3, {.events = 2000, .maxBytes = 30 * kMiB}));
    const WhatIfResult first = run.with(expandable());
    const WhatIfResult second = run.with(expandable());
    EXPECT_EQ(first.reservedPeak, second.reservedPeak);
    ASSERT_EQ(first.reserved.size(), second.reserved.size());
    for (std::size_t i = 0; i < first.reserved.size(); ++i)
        EXPECT_EQ(first.reserved[i].bytes, second.reserved[i].bytes);
}

} // namespace highwater
