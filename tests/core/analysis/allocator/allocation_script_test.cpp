#include "core/analysis/allocator/allocation_script.h"

#include <gtest/gtest.h>

#include "tests/support/program/has_parts.h"
#include "tests/support/replayed_run.h"
#include "tests/support/snapshot_builder.h"

namespace highwater {

namespace {

using test::kA;
using test::kB;
using test::kC;
using test::ReplayedRun;
using test::SnapshotBuilder;

std::vector<ScriptAction> actionsOf(const ReplayedRun& run)
{
    std::vector<ScriptAction> actions;
    for (const ScriptStep& step : run.script->steps)
        actions.push_back(step.action);
    return actions;
}

SnapshotBuilder withSegment(Address begin, Bytes size)
{
    SnapshotBuilder builder;
    builder.filled(begin, size);
    return builder;
}

ScriptAction lastActionOf(const AllocationScript& script)
{
    return script.steps[script.steps.size() - 1].action;
}

} // namespace

TEST(AllocationScript, AFreeThatCompletesAtOnceIsOneStep)
{
    const ReplayedRun run(
        withSegment(kA, 20 * kMiB).free(kA, 20 * kMiB).segment(kA, {{20 * kMiB, 0}}).finish());
    EXPECT_EQ(actionsOf(run), (std::vector{ScriptAction::Allocate, ScriptAction::Free}));
    EXPECT_EQ(run.script->steps[1].event, 3);
}

TEST(AllocationScript, AFreeThatWaitsForAnotherStreamIsTwo)
{
    const ReplayedRun run(withSegment(kA, 20 * kMiB)
                              .event(Action::FreeRequested, kA, 20 * kMiB)
                              .filled(kB, 30 * kMiB)
                              .event(Action::FreeCompleted, kA, 20 * kMiB)
                              .segment(kA, {{20 * kMiB, 0}})
                              .segment(kB, {{30 * kMiB, 30 * kMiB}})
                              .finish());
    EXPECT_EQ(actionsOf(run),
        (std::vector{
            ScriptAction::Allocate, ScriptAction::RequestFree, ScriptAction::Allocate, ScriptAction::Free}));
}

TEST(AllocationScript, SegmentsThatAreGivenBackWithoutNeedAreACallOfEmptyCache)
{
    const ReplayedRun run(
        withSegment(kA, 20 * kMiB).free(kA, 20 * kMiB).event(Action::SegmentFree, kA, 20 * kMiB).finish());
    EXPECT_EQ(
        actionsOf(run), (std::vector{ScriptAction::Allocate, ScriptAction::Free, ScriptAction::EmptyCache}));
    EXPECT_EQ(run.asRecorded().calls.flushes, 0);
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

TEST(AllocationScript, SegmentsThatAreGivenBackBeforeAFailureAreTheAllocatorsOwnDoing)
{
    const ReplayedRun run(withSegment(kA, 20 * kMiB)
                              .free(kA, 20 * kMiB)
                              .event(Action::SegmentFree, kA, 20 * kMiB)
                              .event(Action::Oom, 30 * kMiB, 40 * kMiB)
                              .finish());
    EXPECT_EQ(
        actionsOf(run), (std::vector{ScriptAction::Allocate, ScriptAction::Free, ScriptAction::OutOfMemory}));
    EXPECT_EQ(run.script->limit, 30 * kMiB);
    EXPECT_EQ(run.asRecorded().calls.flushes, 1);
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

namespace {

/// Returns a flush, or a call of `empty_cache`, before an allocation. An out-of-memory event at the end
/// reveals the run's limit of 50 MiB.
SnapshotBuilder flushBeforeAllocation(Bytes cached, Bytes wanted)
{
    SnapshotBuilder builder = withSegment(kA, cached);
    builder.free(kA, cached)
        .event(Action::SegmentFree, kA, cached)
        .filled(kB, wanted)
        .event(Action::Oom, static_cast<Address>(50 * kMiB - wanted), 60 * kMiB)
        .segment(kB, {{wanted, wanted}});
    return builder;
}

} // namespace

TEST(AllocationScript, AFlushIsTheAllocatorsOwnWhereTheRequestDidNotFit)
{
    const ReplayedRun run(flushBeforeAllocation(30 * kMiB, 40 * kMiB).finish());
    EXPECT_EQ(actionsOf(run),
        (std::vector{
            ScriptAction::Allocate, ScriptAction::Free, ScriptAction::Allocate, ScriptAction::OutOfMemory}));
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

TEST(AllocationScript, ACachedBlockThatFitsTellsThatTheProgramEmptiedTheCache)
{
    const ReplayedRun run(flushBeforeAllocation(40 * kMiB, 40 * kMiB).finish());
    EXPECT_EQ(actionsOf(run),
        (std::vector{ScriptAction::Allocate, ScriptAction::Free, ScriptAction::EmptyCache,
            ScriptAction::Allocate, ScriptAction::OutOfMemory}));
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

TEST(AllocationScript, ARequestThatWouldHaveFittedTellsThatTheProgramEmptiedTheCache)
{
    const ReplayedRun run(flushBeforeAllocation(10 * kMiB, 40 * kMiB).finish());
    EXPECT_EQ(run.script->steps[2].action, ScriptAction::EmptyCache);
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

TEST(AllocationScript, OneOversizedSegmentThatIsGivenBackTellsThatTheDriverHadNoMore)
{
    const ReplayedRun run(withSegment(kA, 100 * kMiB)
                              .setting("max_split_size", std::to_string(64 * kMiB))
                              .filled(kB, 70 * kMiB)
                              .free(kA, 100 * kMiB)
                              .free(kB, 70 * kMiB)
                              .event(Action::SegmentFree, kA, 100 * kMiB)
                              .filled(kC, 94 * kMiB)
                              .segment(kB, {{70 * kMiB, 0}})
                              .segment(kC, {{94 * kMiB, 94 * kMiB}})
                              .finish());
    ASSERT_TRUE(run.script->shortages.empty()) << "the cached block of 100 MiB serves 94";
    EXPECT_EQ(run.script->steps[4].action, ScriptAction::EmptyCache);
}

TEST(AllocationScript, AnOversizedSegmentOfAnotherSizeThatIsGivenBackMakesRoomInTheReplayToo)
{
    const ReplayedRun run(withSegment(kA, 100 * kMiB)
                              .setting("max_split_size", std::to_string(64 * kMiB))
                              .filled(kB, 70 * kMiB)
                              .free(kA, 100 * kMiB)
                              .free(kB, 70 * kMiB)
                              .event(Action::SegmentFree, kA, 100 * kMiB)
                              .filled(kC, 74 * kMiB)
                              .segment(kB, {{70 * kMiB, 0}})
                              .segment(kC, {{74 * kMiB, 74 * kMiB}})
                              .finish());
    ASSERT_EQ(run.script->shortages.size(), 1u);
    EXPECT_EQ(run.script->shortages[0].limit, 144 * kMiB);
    EXPECT_EQ(run.asRecorded().calls.flushes, 0);
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared) << "70 MiB stay cached";
}

TEST(AllocationScript, ABlockThatWasFreedLateAndWouldHaveServedTellsThatTheAllocatorFlushed)
{
    const Address pin = kA + static_cast<Address>(40 * kMiB);
    const ReplayedRun run(SnapshotBuilder()
                              .filled(kA, 60 * kMiB)
                              .free(kA, 60 * kMiB)
                              .alloc(kA, 40 * kMiB)
                              .alloc(pin, 2 * kMiB)
                              .filled(kB, 30 * kMiB)
                              .free(kB, 30 * kMiB)
                              .event(Action::FreeRequested, kA, 40 * kMiB)
                              .alloc(kB, 30 * kMiB)
                              .free(kB, 30 * kMiB)
                              .event(Action::FreeCompleted, kA, 40 * kMiB)
                              .event(Action::SegmentFree, kB, 30 * kMiB)
                              .filled(kC, 40 * kMiB)
                              .segment(kA, {{40 * kMiB, 0}, {2 * kMiB, 2 * kMiB}, {18 * kMiB, 0}})
                              .segment(kC, {{40 * kMiB, 40 * kMiB}})
                              .finish());
    ASSERT_EQ(run.script->shortages.size(), 1u);
    EXPECT_EQ(run.script->shortages[0].limit, 100 * kMiB);
    EXPECT_EQ(lastActionOf(*run.script), ScriptAction::Free) << "behind the allocation";
    EXPECT_EQ(run.asRecorded().calls.flushes, 1);
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

TEST(AllocationScript, AnUnansweredFreeFromBeforeTheTraceIsCompletedByAFlush)
{
    const ReplayedRun run(SnapshotBuilder()
                              .event(Action::SegmentAlloc, kB, 2 * kMiB)
                              .alloc(kB, 2 * kMiB - 512)
                              .free(kB, 2 * kMiB - 512)
                              .event(Action::FreeCompleted, kA, 30 * kMiB)
                              .event(Action::SegmentFree, kA, 30 * kMiB)
                              .event(Action::SegmentFree, kB, 2 * kMiB)
                              .event(Action::Oom, 40 * kMiB, 50 * kMiB)
                              .finish());
    EXPECT_EQ(run.script->steps[0].action, ScriptAction::RequestFree);
    EXPECT_EQ(run.script->steps[0].event, -1);
    EXPECT_EQ(lastActionOf(*run.script), ScriptAction::Free) << "behind the request that failed";
}

TEST(AllocationScript, KnowsTheLimitFromTheFailedRequest)
{
    const ReplayedRun run(withSegment(kA, 20 * kMiB)
                              .event(Action::Oom, 7 * kMiB, 40 * kMiB)
                              .segment(kA, {{20 * kMiB, 20 * kMiB}})
                              .finish());
    ASSERT_EQ(run.script->failures.size(), 1u);
    EXPECT_EQ(run.script->failures[0].limit, 27 * kMiB);
    EXPECT_EQ(run.script->limit, 27 * kMiB);
}

TEST(AllocationScript, KnowsTheAddressSpaceFromTheDistanceOfTwo)
{
    const ReplayedRun run(SnapshotBuilder()
                              .setting("expandable_segments", "true")
                              .event(Action::SegmentMap, kA, 20 * kMiB)
                              .alloc(kA, 20 * kMiB)
                              .event(Action::SegmentMap, kA + (1 << 30), 2 * kMiB)
                              .alloc(kA + (1 << 30), 512)
                              .segment(kA, {{20 * kMiB, 20 * kMiB}}, true)
                              .segment(kA + (1 << 30), {{512, 512}, {2 * kMiB - 512, 0}}, true)
                              .finish());
    EXPECT_EQ(run.script->addressSpace, 1020 * kMiB) << "whole pages of 20 MiB";
}

TEST(AllocationScript, RefusesWhatHasNoAllocatorOrNoEvents)
{
    const ReplayedRun run(SnapshotBuilder().segment(kA, {{20 * kMiB, 20 * kMiB}}).finish());
    ASSERT_FALSE(run.script);
    EXPECT_EQ(run.script.error().code, ErrorCode::BadRequest);
    EXPECT_TRUE(test::hasParts(run.script.error().message, {"GPU 0 has no events to replay"}));
}

TEST(AllocationScript, WhatLivedAtAnAddressBeforeAPrivatePoolGotItIsNotInThatPool)
{
    constexpr Address kAt = 0x7f00'0000'0000;
    const ReplayedRun run(SnapshotBuilder()
                              .withoutPool()
                              .event(Action::SegmentAlloc, kAt, 2 * kMiB)
                              .alloc(kAt, 512)
                              .free(kAt, 512)
                              .event(Action::SegmentFree, kAt, 2 * kMiB)
                              .event(Action::SegmentAlloc, kAt, 2 * kMiB)
                              .alloc(kAt, 1024)
                              .inPool({1, 0})
                              .segment(kAt, {{1024, 1024}, {2 * kMiB - 1024, 0}})
                              .finish());
    ASSERT_EQ(run.allocations.size(), 2u);
    EXPECT_TRUE(run.script->poolOf(0).isNone());
    EXPECT_EQ(run.trace->poolLabel(run.script->poolOf(1)), "private pool (1, 0)");
    EXPECT_EQ(run.fidelity().exact, run.fidelity().compared);
}

} // namespace highwater
