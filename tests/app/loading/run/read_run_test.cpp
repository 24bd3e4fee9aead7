#include "app/loading/run/read_run.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/loading/files/file_hash.h"
#include "app/loading/summary_file.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::samplePath;

namespace {

RunRequest files(const std::vector<std::string>& samples)
{
    RunRequest all;
    for (const std::string& sample : samples)
        all.paths.push_back(samplePath(sample));
    return all;
}

ReportRun loaded(const RunRequest& run, Runs& keep)
{
    keep = *readRuns(run, nullptr, {});
    return keep.run;
}

/// Returns a recording with one allocation and, if it `fails`, a request that does not fit.
std::string oneAllocation(std::int64_t bytes, bool fails = false)
{
    test::PickleWriter pickle;
    pickle.proto(4).emptyDict().mark().text("segments").emptyList().mark();
    pickle.segment(0x7f00'0000'0000, bytes).appends();
    pickle.text("device_traces").emptyList().mark().emptyList().mark();
    pickle.event("alloc", 0x7f00'0000'0000, bytes);
    if (fails)
        pickle.event("oom", 1 << 20, 1 << 24);
    return pickle.appends().appends().setItems().stop();
}

/// Returns the summary of that recording.
std::string summaryOfOneAllocation(std::int64_t bytes)
{
    const test::TemporaryFolder folder;
    RunRequest run;
    run.paths.push_back(folder.write("recording.pickle", oneAllocation(bytes)));
    Runs keep;
    return summaryFile(*loaded(run, keep).study, {}, 1).bytes;
}

const char* const kSnapshot = "pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst";

} // namespace

TEST(RunRequest, ShowTheRankWithTheLargestPeak)
{
    Runs keep;
    const ReportRun run = loaded(files({"ranks"}), keep);
    EXPECT_EQ(run.study->name(), "rank2_snapshot.pickle.zst");
    EXPECT_EQ(run.study->device()->curve.peak().bytes, 540'968'968);
    EXPECT_EQ(run.study->parts().ranks.size(), 4u);
    EXPECT_EQ(run.study->parts().ranks[3]->member.rank, 3);
    ASSERT_EQ(run.sources.size(), 4u);
    EXPECT_TRUE(run.sources[0].path.ends_with("rank2_snapshot.pickle.zst")) << "the main file first";
    EXPECT_EQ(run.sources[0].role, "rank 2");
    EXPECT_TRUE(run.study->parts().auxiliaryFiles.empty());
}

TEST(RunRequest, ShowTheRankThatRanOutOfMemoryThoughAnotherPeaksHigher)
{
    const test::TemporaryFolder folder;
    folder.write("run_rank0.pickle", oneAllocation(1 << 20, true));
    folder.write("run_rank1.pickle", oneAllocation(1 << 24));
    RunRequest ranks;
    ranks.paths.push_back(folder.path().string());
    Runs keep;
    EXPECT_EQ(loaded(ranks, keep).study->name(), "run_rank0.pickle");
    EXPECT_EQ(keep.run.main.reason, MainReason::FailedFirst);
    ranks.rank = 1;
    EXPECT_EQ(loaded(ranks, keep).study->name(), "run_rank1.pickle");
    EXPECT_EQ(keep.run.main.reason, MainReason::Chosen);
}

TEST(RunRequest, KeepOfOtherRanksOnlyWhatWasNoticed)
{
    Runs keep;
    const ReportRun run = loaded(files({"ranks"}), keep);
    EXPECT_GT(run.study->parts().trace->events.rows(), 0u);
    EXPECT_EQ(run.sources[1].trace->events.rows(), 0u);
    EXPECT_EQ(run.sources[1].trace->devices.size(), 1u);
}

TEST(RunRequest, AreEachOneHoweverOftenItIsNamed)
{
    RunRequest twice = files({kSnapshot, kSnapshot});
    const std::filesystem::path path(twice.paths.front());
    twice.paths.push_back((path.parent_path() / "." / path.filename()).string());
    Runs keep;
    const ReportRun run = loaded(twice, keep);
    EXPECT_EQ(run.sources.size(), 1u);
    EXPECT_TRUE(run.study->parts().ranks.empty());
}

TEST(RunRequest, ShowTheFileThatIsAskedFor)
{
    RunRequest ranks = files({"ranks"});
    ranks.shown = samplePath("ranks/rank1_snapshot.pickle.zst");
    Runs keep;
    EXPECT_EQ(loaded(ranks, keep).study->name(), "rank1_snapshot.pickle.zst");
}

TEST(RunRequest, AreComparedByOneRankAlsoBesideMergedSummaries)
{
    const test::TemporaryFolder earlier;
    const test::TemporaryFolder later;
    earlier.write("run_rank0.pickle", oneAllocation(1 << 22));
    later.write("run_rank0.pickle", oneAllocation(1 << 20));
    later.write("run_rank1.summary", summaryOfOneAllocation(1 << 21));
    later.write("run_rank2.summary", summaryOfOneAllocation(1 << 24));
    RunRequest before;
    before.paths.push_back(earlier.path().string());
    RunRequest after;
    after.paths.push_back(later.path().string());
    const auto runs = readRuns(after, &before, {});
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->run.study->name(), "run_rank0.pickle");
    EXPECT_EQ(runs->run.main.rankCount, 3u);
}

TEST(RunRequest, AreComparedByARankThatIsAMergedSummary)
{
    const test::TemporaryFolder earlier;
    const test::TemporaryFolder later;
    earlier.write("run_rank0.pickle", oneAllocation(1 << 22));
    later.write("run_rank0.summary", summaryOfOneAllocation(1 << 20));
    later.write("run_rank1.summary", summaryOfOneAllocation(1 << 24));
    RunRequest before;
    before.paths.push_back(earlier.path().string());
    RunRequest after;
    after.paths.push_back(later.path().string());
    const auto runs = readRuns(after, &before, {});
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->run.study->name(), "run_rank0.summary");
    EXPECT_EQ(runs->run.main.rankCount, 2u);
}

TEST(RunRequest, PutLogsBesideWhatTellsAllocations)
{
    Runs keep;
    const ReportRun run = loaded(files({"logs/r5-flan-t5-xl.log", kSnapshot}), keep);
    EXPECT_EQ(run.study->name(), "r5-flan-t5-xl-before.pickle.zst");
    ASSERT_EQ(run.study->parts().auxiliaryFiles.size(), 1u);
    EXPECT_EQ(run.study->parts().auxiliaryFiles[0].name, "r5-flan-t5-xl.log");
    EXPECT_TRUE(run.study->parts().ranks.empty());
    EXPECT_EQ(run.sources[1].role, "with the run");
}

TEST(RunRequest, KnowTheGpuAndTheLimitThatTheirLogStates)
{
    for (const auto& [folder, limit] :
        {std::pair("runs/two-ranks-oom", "1 GiB"), std::pair("runs/four-ranks-one-fails", "2 GiB")}) {
        Runs keep;
        const RunStudy& run = *loaded(files({folder}), keep).study;
        ASSERT_TRUE(run.capacity()) << folder;
        EXPECT_EQ(toText(*run.capacity()), "139.8 GiB (from the log)") << folder;
        EXPECT_EQ(lineLabel(*run.memoryLimit()), fmt::format("process limit {} (from the log)", limit));
        EXPECT_EQ(run.withCapacity(*capacityFromText("L4"))->memoryLimit()->gpu, "L4");
        const Finding* const cap = run.finding("process-cap");
        ASSERT_TRUE(cap) << folder;
        EXPECT_EQ(cap->grade, Grade::A) << folder;
        EXPECT_NE(cap->title.find(std::string("but the process was limited to ") + limit), std::string::npos)
            << cap->title;
        const std::vector<std::string> sentences = run.gpuFits()->sentences();
        EXPECT_NE(std::ranges::find(
                      sentences, fmt::format("the run was limited to {}, so it may need more", limit)),
            sentences.end())
            << folder;
    }
}

TEST(RunRequest, TakeNothingFromALogOfAnotherRun)
{
    const std::string snapshot = "runs/unrelated-pair/snapshot_1.pickle.zst";
    Runs keep;
    const RunStudy& own = *loaded(files({snapshot, "runs/unrelated-pair/out_2.txt"}), keep).study;
    EXPECT_EQ(own.logged().processLimit, 2 * kGiB);
    Runs keepOther;
    const RunStudy& other = *loaded(files({snapshot, "runs/unrelated-pair/out_1.txt"}), keepOther).study;
    EXPECT_FALSE(other.logged().processLimit);
    ASSERT_TRUE(other.capacity());
    EXPECT_TRUE(other.capacity()->isLowerBound());
}

TEST(RunRequest, HaveTheHashesOfTheirBytes)
{
    Runs keep;
    RunReadOptions options;
    options.hashes = true;
    keep = *readRuns(files({kSnapshot}), nullptr, options);
    const ReportRun& run = keep.run;
    EXPECT_EQ(run.sources[0].sha256, sha256OfFile(samplePath(kSnapshot)));
    EXPECT_EQ(run.sources[0].fileBytes, std::filesystem::file_size(samplePath(kSnapshot)));
    EXPECT_EQ(run.sources[0].format, "pytorch-snapshot");
}

TEST(RunRequest, AreStudiedInTheBytesThatBothRunsHave)
{
    const RunRequest before = files({"kineto/tiny-addresses.pt.trace.json"});
    const Result<Runs> runs = readRuns(files({kSnapshot}), &before, {});
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->run.study->device()->allocations.quantity(), Quantity::Allocated);
    EXPECT_EQ(runs->before->study->device()->allocations.quantity(), Quantity::Allocated);
    EXPECT_EQ(runs->before->sources[0].role, "before");
    EXPECT_EQ(runs->run.sources[0].role, "after");
}

TEST(RunRequest, TellWhatCannotBeReadBesideTheMainFile)
{
    RunRequest some = files({kSnapshot});
    some.paths.push_back(samplePath("nothing-is-here.log"));
    const Result<Runs> runs = readRuns(some, nullptr, {});
    ASSERT_TRUE(runs);
    EXPECT_TRUE(runs->run.hasUnreadable);
    ASSERT_EQ(runs->run.sources.size(), 2u);
    EXPECT_FALSE(runs->run.sources[1].error.empty());
    EXPECT_EQ(runs->run.sources[1].trace, nullptr);
}

TEST(RunRequest, FailWithTheErrorOfTheFirstWhereNoneCanBeRead)
{
    const Result<Runs> runs = readRuns(files({"broken/empty.pickle"}), nullptr, {});
    ASSERT_FALSE(runs);
    EXPECT_NE(runs.error().code, ErrorCode::BadRequest);
}

TEST(RunRequest, NameTheFileThatCannotBeRead)
{
    const RunRequest broken = files({"broken/empty.pickle"});
    const auto runs = readRuns(files({kSnapshot}), &broken, {});
    ASSERT_FALSE(runs);
    EXPECT_EQ(runs.error().path, broken.paths.front());
    RunRequest configured = files({kSnapshot});
    configured.configuration = "none.yaml";
    const auto unconfigured = readRuns(configured, nullptr, {});
    ASSERT_FALSE(unconfigured);
    EXPECT_EQ(unconfigured.error().path, "none.yaml");
}

TEST(RunRequest, FailWhereTheDeviceIsInNoneOfThem)
{
    RunRequest run = files({kSnapshot});
    run.device = "7";
    const Result<Runs> runs = readRuns(run, nullptr, {});
    ASSERT_FALSE(runs);
    EXPECT_EQ(runs.error().code, ErrorCode::BadRequest);
    EXPECT_EQ(runs.error().message, "has no device 7 (it has cuda:0)");
}

TEST(RunRequest, TakeTheCardAndTheShapeOfTheConfiguration)
{
    RunRequest run = files({kSnapshot});
    run.configuration = samplePath("budget/r5-flan-t5-xl.yaml");
    Runs keep;
    const ReportRun loadedRun = loaded(run, keep);
    EXPECT_TRUE(loadedRun.study->parts().shape);
    ASSERT_TRUE(loadedRun.study->parts().capacity);
    EXPECT_EQ(loadedRun.study->parts().capacity->gpu, "RTX 5090");
    EXPECT_FALSE(loadedRun.study->parts().settings.empty());
}

TEST(RunRequest, SayWhyAConfigurationGivesNoBudget)
{
    const test::TemporaryFolder folder;
    RunRequest run = files({kSnapshot});
    run.configuration = folder.write("trainer.yaml", "learning_rate: 0.1\n");
    const Result<Runs> runs = readRuns(run, nullptr, {});
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->run.warnings.size(), 1u);
    EXPECT_TRUE(runs->run.warnings[0].starts_with("trainer.yaml does not give a budget: "));
    EXPECT_FALSE(runs->run.study->parts().shape);
}

TEST(RunRequest, TakeTheCapacityThatTheUserChose)
{
    RunRequest run = files({kSnapshot});
    run.capacity = DeviceCapacity{48 * kGiB, CapacitySource::Chosen, "", -1};
    Runs keep;
    EXPECT_EQ(loaded(run, keep).study->parts().capacity, run.capacity);
    run.configuration = samplePath("budget/r5-flan-t5-xl.yaml");
    EXPECT_EQ(loaded(run, keep).study->parts().capacity, run.capacity)
        << "before that of the configuration's GPU";
}

TEST(RunRequest, GiveEachRankUpOnce)
{
    // Each kept rank is a copy: its device with all settings. Here this copying takes most of the time.
    test::PickleWriter pickle;
    pickle.proto(4).emptyDict().mark().text("segments").emptyList().mark();
    pickle.segment(0x7f00'0000'0000, 1 << 20).appends();
    pickle.text("device_traces").emptyList().mark().emptyList().mark();
    pickle.event("alloc", 0x7f00'0000'0000, 1 << 20).appends().appends();
    pickle.text("allocator_settings").emptyDict().mark();
    for (int setting = 0; setting < 2'000; ++setting)
        pickle.entry("PYTORCH_ALLOCATOR_SETTING_" + std::to_string(setting), "a value of some length");
    const std::string bytes = pickle.setItems().setItems().stop();
    const test::TemporaryFolder folder;
    for (int rank = 0; rank < 1'600; ++rank)
        folder.write("rank" + std::to_string(rank) + ".pickle", bytes);
    RunRequest ranks;
    ranks.paths.push_back(folder.path().string());
    Runs keep;
    EXPECT_EQ(loaded(ranks, keep).study->parts().ranks.size(), 1'600u);
}

} // namespace highwater
