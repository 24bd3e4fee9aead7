// Tests of which files cannot belong to the same run.
#include <gtest/gtest.h>

#include "core/run/choice/run_evidence.h"

namespace highwater {

namespace {

constexpr Nanoseconds kTick = 1'000'000'000;
constexpr Nanoseconds kDawn = 1'790'000'000 * kTick;

/// Returns a recording with one event per second.
RunEvidence recordedFrom(Nanoseconds begin, int seconds, std::uint64_t process)
{
    RunEvidence evidence;
    evidence.kind = TraceKind::Snapshot;
    evidence.clock = Clock::Unix;
    evidence.times = TimeRange{begin, begin + seconds * kTick};
    for (int i = 0; i <= seconds; ++i) {
        const Nanoseconds time = begin + i * kTick;
        evidence.marks.push_back({process + static_cast<std::uint64_t>(time), time});
    }
    return evidence;
}

RunEvidence wholeRecording(Nanoseconds begin, int seconds, std::uint64_t process)
{
    RunEvidence evidence = recordedFrom(begin, seconds, process);
    evidence.isWhole = true;
    return evidence;
}

RunEvidence logOf(std::vector<WrittenBytes> failedRequests)
{
    RunEvidence evidence;
    evidence.kind = TraceKind::TrainerLog;
    evidence.failedRequests = std::move(failedRequests);
    return evidence;
}

using Kind = Contradiction::Kind;

std::optional<Kind> kindOf(const std::optional<Contradiction>& contradiction)
{
    return contradiction ? std::optional(contradiction->kind) : std::nullopt;
}

} // namespace

TEST(RunEvidence, DumpsThatShareEventsAreOfOneProcess)
{
    EXPECT_EQ(
        isSameProcess(recordedFrom(kDawn, 60, 1), recordedFrom(kDawn + 50 * kTick, 60, 1)), SameProcess::Yes);
}

TEST(RunEvidence, RecordingsOfOneTimeWithOtherEventsAreOfTwoProcesses)
{
    EXPECT_EQ(
        isSameProcess(recordedFrom(kDawn, 60, 1), recordedFrom(kDawn + 20 * kTick, 60, 2)), SameProcess::No);
}

TEST(RunEvidence, DumpsWithoutACommonTimeAreToldByTheirSegments)
{
    RunEvidence first = recordedFrom(kDawn, 20, 1);
    RunEvidence later = recordedFrom(kDawn + 100 * kTick, 20, 1);
    EXPECT_EQ(isSameProcess(first, later), SameProcess::Unknown);
    first.segments = {10, 20, 30};
    later.segments = {10, 20, 40, 50};
    EXPECT_EQ(isSameProcess(first, later), SameProcess::Yes);
}

TEST(RunEvidence, AProcessBeginsOnce)
{
    EXPECT_EQ(isSameProcess(wholeRecording(kDawn, 20, 1), wholeRecording(kDawn + 100 * kTick, 20, 2)),
        SameProcess::No);
}

TEST(RunEvidence, ARankRecordedTwiceFromItsStartIsOfTwoRuns)
{
    const RunEvidence first = wholeRecording(kDawn, 20, 1);
    const RunEvidence again = wholeRecording(kDawn + 100 * kTick, 20, 2);
    EXPECT_EQ(kindOf(contradictionOfRecordings(first, again, true, false)), Kind::Clocks);
}

TEST(RunEvidence, RanksOfOneTimeAreOfOneRun)
{
    EXPECT_FALSE(contradictionOfRecordings(
        wholeRecording(kDawn, 60, 1), wholeRecording(kDawn + 5 * kTick, 60, 2), false, true));
}

TEST(RunEvidence, ARankMayBeginAWhileAfterAnotherHasFailed)
{
    RunEvidence failed = wholeRecording(kDawn, 20, 1);
    failed.failedRequests = {{kGiB, 0}};
    EXPECT_FALSE(contradictionOfRecordings(failed, wholeRecording(kDawn + 300 * kTick, 20, 2), false, true));
    EXPECT_EQ(
        kindOf(contradictionOfRecordings(failed, wholeRecording(kDawn + 3600 * kTick, 20, 2), false, true)),
        Kind::Clocks);
}

TEST(RunEvidence, ARankDoesNotBeginAfterAnotherIsDone)
{
    EXPECT_EQ(kindOf(contradictionOfRecordings(
                  wholeRecording(kDawn, 20, 1), wholeRecording(kDawn + 60 * kTick, 20, 2), false, true)),
        Kind::Clocks);
}

TEST(RunEvidence, AScriptThatIsRunAgainIsAnotherRun)
{
    EXPECT_EQ(kindOf(contradictionOfRecordings(
                  wholeRecording(kDawn, 20, 1), wholeRecording(kDawn + 60 * kTick, 20, 2), false, false)),
        Kind::Clocks);
}

TEST(RunEvidence, ARingThatBeginsLateSaysNothingOfAnHour)
{
    EXPECT_FALSE(contradictionOfRecordings(
        recordedFrom(kDawn, 20, 1), recordedFrom(kDawn + 3600 * kTick, 20, 2), false, true));
}

TEST(RunEvidence, OtherWorldSizesAreOtherRuns)
{
    RunEvidence of8;
    of8.worldSize = 8;
    RunEvidence of2;
    of2.worldSize = 2;
    EXPECT_EQ(kindOf(contradictionOfRecordings(of8, of2, false, true)), Kind::WorldSize);
    EXPECT_FALSE(contradictionOfRecordings(of8, of8, false, true));
}

TEST(RunEvidence, OtherCodeIsAnotherRun)
{
    RunEvidence trainer = recordedFrom(kDawn, 20, 1);
    trainer.code = {1, 2, 3, 4};
    RunEvidence server = recordedFrom(kDawn + 10 * kTick, 20, 2);
    server.code = {5, 6, 7, 8};
    EXPECT_EQ(kindOf(contradictionOfRecordings(trainer, server, false, false)), Kind::Code);
    server.code = {4, 5, 6, 7};
    EXPECT_FALSE(contradictionOfRecordings(trainer, server, false, false));
}

TEST(RunEvidence, AMessageMayPrintTheSegmentThatTheRequestNeeded)
{
    RunEvidence recorded = recordedFrom(kDawn, 20, 1);
    recorded.failedRequests = {{65'536'512, 0}}; // 62.5 MiB and a little more
    EXPECT_FALSE(contradictionOfLog(logOf({{64 * kMiB, 5243}}), recorded));
    EXPECT_EQ(kindOf(contradictionOfLog(logOf({{2 * kGiB, 5'368'710}}), recorded)), Kind::Figures);
}

TEST(RunEvidence, OneOfSeveralFailuresIsEnough)
{
    RunEvidence recorded = recordedFrom(kDawn, 20, 1);
    recorded.failedRequests = {{2 * kGiB, 0}, {20 * kMiB, 0}};
    EXPECT_FALSE(contradictionOfLog(logOf({{8 * kGiB, 0}, {20 * kMiB, 0}}), recorded));
}

TEST(RunEvidence, ALogOfTheSameTimeIsNotJudgedByItsFigures)
{
    RunEvidence recorded = recordedFrom(kDawn, 20, 1);
    recorded.failedRequests = {{2 * kGiB, 0}};
    RunEvidence log = logOf({{20 * kMiB, 0}});
    log.clock = Clock::Unix;
    log.times = TimeRange{kDawn - 60 * kTick, kDawn + 60 * kTick};
    EXPECT_FALSE(contradictionOfLog(log, recorded));
}

TEST(RunEvidence, ARecordingThatReservedMoreThanTheLogsGpuHasIsOfAnother)
{
    RunEvidence recorded;
    recorded.reservedPeakBytes = 60 * kGiB;
    RunEvidence log;
    log.capacityBytes = 24 * kGiB;
    EXPECT_EQ(kindOf(contradictionOfLog(log, recorded)), Kind::Figures);
    log.capacityBytes = 80 * kGiB;
    EXPECT_FALSE(contradictionOfLog(log, recorded));
}

TEST(RunEvidence, ALogInLocalTimeIsADayOffBeforeItIsDoubted)
{
    const RunEvidence recorded = recordedFrom(kDawn, 20, 1);
    RunEvidence log;
    log.clock = Clock::Local;
    log.times = TimeRange{kDawn + 20 * 3600 * kTick, kDawn + 21 * 3600 * kTick};
    EXPECT_FALSE(contradictionOfLog(log, recorded));
    log.times = TimeRange{kDawn + 72 * 3600 * kTick, kDawn + 73 * 3600 * kTick};
    EXPECT_EQ(kindOf(contradictionOfLog(log, recorded)), Kind::Clocks);
}

} // namespace highwater
