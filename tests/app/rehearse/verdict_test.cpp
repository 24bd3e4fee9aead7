#include "app/rehearse/verdict.h"

#include <gtest/gtest.h>

#include "tests/support/snapshot_builder.h"

namespace highwater::rehearse {

namespace {

std::shared_ptr<const Trace> twoMiB()
{
    return test::SnapshotBuilder().alloc(4096, 512).segment(4096, {{2 << 20, 512}}).finish();
}

/// 6 MiB are reserved when memory runs out; later 1 MiB is.
std::shared_ptr<const Trace> recovered()
{
    return test::SnapshotBuilder()
        .event(Action::SegmentAlloc, 8 * kMiB, 6 * kMiB)
        .alloc(8 * kMiB, 6 * kMiB)
        .event(Action::Oom, 0, 4 * kMiB)
        .free(8 * kMiB, 6 * kMiB)
        .event(Action::SegmentFree, 8 * kMiB, 6 * kMiB)
        .event(Action::SegmentAlloc, 32 * kMiB, kMiB)
        .alloc(32 * kMiB, kMiB)
        .segment(32 * kMiB, {{kMiB, kMiB}})
        .finish();
}

DeviceVerdict judged(const Trace& trace, const AvailableMemory& available, End end)
{
    return judge(DeviceStudy(trace, 0), available, end);
}

End endOfOne(int exitCode, bool isInterrupted, bool outOfMemory, LastException exception)
{
    RehearsalResult result;
    result.exitCode = exitCode;
    result.isInterrupted = isInterrupted;
    RehearsedProcess process;
    process.outOfMemory = outOfMemory;
    process.exception = exception;
    return endOf(result, process);
}

} // namespace

TEST(RehearsalVerdict, FitsWhereTheWorstGpuHasRoom)
{
    const auto trace = twoMiB();
    EXPECT_EQ(judged(*trace, {4 * kMiB, 8 * kMiB}, End::Finished).fit, Fit::Fits);
    EXPECT_EQ(judged(*trace, {4 * kMiB, 8 * kMiB}, End::Finished).spareBytes, 2 * kMiB);
    EXPECT_EQ(judged(*trace, {1 * kMiB, 8 * kMiB}, End::Finished).fit, Fit::TooClose);
}

TEST(RehearsalVerdict, IsTooCloseWhereOnlyAWorkspaceDoesNotFit)
{
    const AvailableMemory barelyEnough{2 * kMiB, 8 * kMiB};
    DeviceVerdict verdict = judged(*twoMiB(), barelyEnough, End::Finished);
    EXPECT_EQ(verdict.fit, Fit::Fits);
    addWorkspaces(verdict, 1000);
    EXPECT_EQ(verdict.fit, Fit::TooClose);
    EXPECT_EQ(verdict.reservedPeakBytes, 2 * kMiB);
    EXPECT_EQ(verdict.mostReservedBytes, 2 * kMiB + 2700);
    EXPECT_EQ(verdict.spareBytes, -2700);
}

TEST(RehearsalVerdict, AddsNoMoreThanAShareOfWhatIsReserved)
{
    EXPECT_EQ(mostWorkspaceBytes(1000, 5000), 2100);
    EXPECT_EQ(mostWorkspaceBytes(1000, 10'000), 2700);
    EXPECT_EQ(mostWorkspaceBytes(0, kGiB), 0);
}

TEST(RehearsalVerdict, LeavesAConvolutionThatIsMostOfTheRunItsWorkspace)
{
    EXPECT_EQ(mostWorkspaceBytes(1000, 1000), 1300);
}

TEST(RehearsalVerdict, LeavesWhatDoesNotFitWithoutWorkspaces)
{
    DeviceVerdict verdict = judged(*twoMiB(), {kMiB, 8 * kMiB}, End::Failed);
    const DeviceVerdict before = verdict;
    addWorkspaces(verdict, kMiB);
    EXPECT_EQ(verdict, before);
}

TEST(RehearsalVerdict, SaysWhichSideIsLikelier)
{
    const AvailableMemory below{1 * kMiB, 8 * kMiB};
    EXPECT_GT(spareInTheMiddle(judged(*twoMiB(), below, End::Finished), below), 0);
    const AvailableMemory above{512 * kKiB, 3 * kMiB};
    EXPECT_LT(spareInTheMiddle(judged(*twoMiB(), above, End::Finished), above), 0);
}

TEST(RehearsalVerdict, DoesNotFitWhereMemoryRanOut)
{
    const auto trace = test::SnapshotBuilder().alloc(4096, 512).event(Action::Oom, 0, 1024).finish();
    EXPECT_EQ(judged(*trace, {4 * kGiB, 8 * kGiB}, End::OutOfMemory).fit, Fit::DoesNotFit);
    EXPECT_EQ(judged(*trace, {4 * kGiB, 8 * kGiB}, End::Finished).fit, Fit::DoesNotFit);
}

TEST(RehearsalVerdict, CountsTheFailedRequestAsMissing)
{
    const AvailableMemory available{9 * kMiB, 9 * kMiB};
    const DeviceVerdict verdict = judged(*recovered(), available, End::OutOfMemory);
    EXPECT_EQ(verdict.spareBytes, -kMiB);
    const AvailableMemory larger{90 * kMiB, 90 * kMiB}; // of which the script took only a part
    EXPECT_EQ(judged(*recovered(), larger, End::OutOfMemory).spareBytes, -4 * kMiB);
    EXPECT_LT(spareInTheMiddle(verdict, available), 0);
}

TEST(RehearsalVerdict, IsUnknownWhereTheCommandFailed)
{
    EXPECT_EQ(judged(*twoMiB(), {4 * kMiB, 8 * kMiB}, End::Failed).fit, Fit::Failed);
    EXPECT_EQ(judged(*twoMiB(), {1 * kMiB, 8 * kMiB}, End::Failed).fit, Fit::Failed);
    EXPECT_EQ(judged(*recovered(), {4 * kMiB, 8 * kMiB}, End::Failed).fit, Fit::Failed);
}

TEST(RehearsalVerdict, IsUnknownWhereNoStepWasCompleteWhenItWasStopped)
{
    EXPECT_EQ(judged(*twoMiB(), {4 * kMiB, 8 * kMiB}, End::Stopped).fit, Fit::Failed);
}

TEST(RehearsalVerdict, IsAboutThePartAfterTheLastOutOfMemoryThatWasCaught)
{
    const DeviceVerdict verdict = judged(*recovered(), {4 * kMiB, 8 * kMiB}, End::Finished);
    EXPECT_EQ(verdict.fit, Fit::Fits);
    EXPECT_EQ(verdict.reservedPeakBytes, kMiB);
    EXPECT_EQ(verdict.peakBytes, kMiB);
    EXPECT_EQ(verdict.spareBytes, 3 * kMiB);
    EXPECT_EQ(verdict.oomCount, 1);
}

TEST(RehearsalVerdict, IsAboutTheWholeRunThatMemoryEnded)
{
    const DeviceVerdict verdict = judged(*recovered(), {4 * kMiB, 8 * kMiB}, End::OutOfMemory);
    EXPECT_EQ(verdict.fit, Fit::DoesNotFit);
    EXPECT_EQ(verdict.reservedPeakBytes, 6 * kMiB);
}

TEST(RehearsalVerdict, TellsHowAProcessEnded)
{
    using enum LastException;
    EXPECT_EQ(endOfOne(0, false, true, None), End::Finished);
    EXPECT_EQ(endOfOne(130, true, false, None), End::Stopped);
    EXPECT_EQ(endOfOne(1, false, false, None), End::Failed);
    EXPECT_EQ(endOfOne(1, false, true, None), End::OutOfMemory);
    EXPECT_EQ(endOfOne(1, false, true, Other), End::Failed);
    EXPECT_EQ(endOfOne(1, false, true, OutOfMemory), End::OutOfMemory);
    EXPECT_EQ(endOfOne(0, false, true, OutOfMemory), End::OutOfMemory); // a worker whose parent replaced it
}

TEST(RehearsalVerdict, OfSeveralIsTheWorst)
{
    EXPECT_EQ(worse(Fit::Failed, Fit::TooClose), Fit::Failed);
    EXPECT_EQ(worse(Fit::Failed, Fit::DoesNotFit), Fit::DoesNotFit);
}

} // namespace highwater::rehearse
