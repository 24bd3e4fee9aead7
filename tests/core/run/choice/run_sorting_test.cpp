// Tests of sorting files into runs, and recordings into processes.
#include <gtest/gtest.h>

#include "core/run/choice/run_sorting.h"

namespace highwater {

namespace {

constexpr Nanoseconds kBeat = 1'000'000'000;
constexpr Nanoseconds kEvening = 1'790'000'000 * kBeat;

MainCandidate recordingOf(const std::string& path, std::optional<std::int64_t> rank, Nanoseconds begin)
{
    MainCandidate file;
    file.member.path = path;
    file.member.rank = rank;
    file.content = FileContent::Allocations;
    file.evidence.kind = TraceKind::Snapshot;
    file.evidence.clock = Clock::Unix;
    file.evidence.times = TimeRange{begin, begin + 30 * kBeat};
    return file;
}

/// Adds events that only recordings of the same process have.
MainCandidate withEvents(MainCandidate file, std::uint64_t process)
{
    const TimeRange times = *file.evidence.times;
    for (Nanoseconds time = times.begin; time <= times.end; time += kBeat)
        file.evidence.marks.push_back({process + static_cast<std::uint64_t>(time), time});
    return file;
}

std::vector<std::size_t> runsOf(const std::vector<MainCandidate>& files)
{
    std::vector<std::size_t> runs;
    for (const FilePlace& place : sortIntoRuns(files))
        runs.push_back(place.run);
    return runs;
}

} // namespace

TEST(RunSorting, RanksAreOneRun)
{
    EXPECT_EQ(runsOf({recordingOf("rank0", 0, kEvening), recordingOf("rank1", 1, kEvening)}),
        (std::vector<std::size_t>{0, 0}));
}

TEST(RunSorting, RanksGoToTheRunOfTheirTime)
{
    std::vector<MainCandidate> files{recordingOf("ddp_rank0", 0, kEvening),
        recordingOf("fsdp_rank0", 0, kEvening + 200 * kBeat),
        recordingOf("ddp_rank1", 1, kEvening + 5 * kBeat),
        recordingOf("fsdp_rank1", 1, kEvening + 210 * kBeat)};
    for (std::size_t i = 0; i < files.size(); ++i) {
        files[i] = withEvents(std::move(files[i]), i * 1000);
        files[i].evidence.isWhole = true;
    }
    EXPECT_EQ(runsOf(files), (std::vector<std::size_t>{0, 1, 0, 1}));
    std::swap(files[1], files[3]); // the order must not matter
    EXPECT_EQ(runsOf(files), (std::vector<std::size_t>{0, 1, 0, 1}));
    const std::vector<FilePlace> places = sortIntoRuns(files);
    EXPECT_EQ(contradictionBetween(files, places, 0, 1)->kind, Contradiction::Kind::Clocks);
}

TEST(RunSorting, ALogGoesToTheRunThatItDoesNotContradict)
{
    std::vector<MainCandidate> files{
        recordingOf("a", 0, kEvening), recordingOf("b", 0, kEvening + 100 * kBeat)};
    for (std::size_t i = 0; i < files.size(); ++i) {
        files[i] = withEvents(std::move(files[i]), i * 1000);
        files[i].evidence.isWhole = true;
        files[i].evidence.failedRequests = {{static_cast<Bytes>(i + 1) * kGiB, 0}};
    }
    MainCandidate log;
    log.member.path = "err";
    log.content = FileContent::Messages;
    log.evidence.failedRequests = {{2 * kGiB, 0}};
    files.push_back(log);
    EXPECT_EQ(runsOf(files), (std::vector<std::size_t>{0, 1, 1}));
}

TEST(RunSorting, DumpsOfARankAreOneProcess)
{
    const std::vector<FilePlace> places = sortIntoRuns(std::vector{recordingOf("rank0_a", 0, kEvening),
        recordingOf("rank0_b", 0, kEvening + 60 * kBeat), recordingOf("rank1", 1, kEvening)});
    EXPECT_EQ(places[0].process, places[1].process);
    EXPECT_NE(places[0].process, places[2].process);
}

TEST(RunSorting, ADumpWithoutARankHasThatOfItsProcess)
{
    const std::vector<FilePlace> places
        = sortIntoRuns(std::vector{withEvents(recordingOf("oom", {}, kEvening + 10 * kBeat), 7),
            withEvents(recordingOf("rank3", 3, kEvening), 7)});
    EXPECT_EQ(places[0].process, places[1].process);
    EXPECT_EQ(places[0].rank, 3);
}

TEST(RunSorting, ASnapshotAndATraceAreOfOneProcessWhereNoRankIsKnown)
{
    MainCandidate trace = recordingOf("trace", {}, kEvening);
    trace.evidence.kind = TraceKind::KinetoTrace;
    std::vector<MainCandidate> files{recordingOf("snapshot", {}, kEvening), trace};
    EXPECT_EQ(sortIntoRuns(files)[0].process, sortIntoRuns(files)[1].process);
    files.push_back(recordingOf("other", {}, kEvening));
    EXPECT_NE(sortIntoRuns(files)[0].process, sortIntoRuns(files)[1].process);
}

} // namespace highwater
