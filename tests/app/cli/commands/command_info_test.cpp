#include <map>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::kTinySample;
using test::ProgramRun;
using test::runHighwater;
using test::samplePath;

namespace {

json infoOf(const std::string& path, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"info", path, "--json"});
    return parseJson(runHighwater(options).out)["files"][0];
}

} // namespace

class InfoKey : public testing::TestWithParam<const char*>
{
};

TEST_P(InfoKey, IsThere)
{
    EXPECT_TRUE(infoOf(samplePath(kTinySample)).contains(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(OfAFile, InfoKey,
    testing::Values("path", "format", "container", "bytes", "sha256", "complete", "rank", "step", "producer",
        "import_log", "devices", "spans", "counters", "log_events"));

class DeviceKey : public testing::TestWithParam<const char*>
{
};

TEST_P(DeviceKey, IsThere)
{
    EXPECT_TRUE(infoOf(samplePath(kTinySample))["devices"][0].contains(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(OfADevice, DeviceKey,
    testing::Values("device", "kind", "quantity", "events", "actions", "segments", "blocks", "initial_bytes",
        "initial_blocks", "peak_bytes", "peak_event", "peak_blocks", "final_bytes", "final_blocks",
        "final_allocated_bytes", "reserved_initial_bytes", "reserved_peak_bytes", "reserved_final_bytes",
        "capacity_bytes", "ooms", "span_us"));

TEST(Info, GivesTheFiguresOfTheHandCheckedSample)
{
    const json device = infoOf(samplePath(kTinySample))["devices"][0];
    EXPECT_EQ(device["kind"], "cuda");
    EXPECT_EQ(device["quantity"], "requested");
    EXPECT_EQ(device["events"], 22);
    EXPECT_EQ(device["peak_bytes"], 23'069'672);
    EXPECT_EQ(device["peak_event"], 10);
    EXPECT_EQ(device["peak_blocks"], 5);
    EXPECT_EQ(device["final_bytes"], 9'438'698);
    EXPECT_EQ(device["final_blocks"], 5);
    EXPECT_EQ(device["final_allocated_bytes"], 9'439'744);
    EXPECT_EQ(device["reserved_initial_bytes"], 0);
    EXPECT_EQ(device["reserved_peak_bytes"], 44'040'192);
    EXPECT_EQ(device["reserved_final_bytes"], 23'068'672);
    EXPECT_EQ(device["segments"], 2);
    EXPECT_EQ(device["blocks"], 7);
}

TEST(Info, PrintsEventAndAllocationsOfThePeakUncut)
{
    const std::string out
        = runHighwater({"info", samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst")}).out;
    const std::size_t row = out.find("in use at the peak");
    ASSERT_NE(row, std::string::npos) << out;
    EXPECT_TRUE(test::hasParts(
        out.substr(row, out.find('\n', row) - row), {"22.62 GiB", "24,287,511,136 B", "1,426", "13,340"}));
}

TEST(Info, GivesNoReservedBytesWhereTheFileDoesNotTellThem)
{
    const json device = infoOf(samplePath("memory-timeline/tiny-host-rows.raw.json"))["devices"][0];
    EXPECT_EQ(device["peak_bytes"], 16'400);
    EXPECT_TRUE(device["reserved_peak_bytes"].is_null());
    EXPECT_TRUE(device["final_allocated_bytes"].is_null());
}

TEST(Info, RefusesAPictureWithExitCodeThree)
{
    const ProgramRun run = runHighwater({"info", samplePath("broken/timeline-picture.html")});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_NE(run.err.find("picture"), std::string::npos) << run.err;
}

TEST(Info, CountsOnlyActionsThatOccur)
{
    const json actions = infoOf(samplePath(kTinySample))["devices"][0]["actions"];
    std::int64_t sum = 0;
    for (const auto& [name, count] : actions.items()) {
        EXPECT_GT(count.get<std::int64_t>(), 0) << name;
        sum += count.get<std::int64_t>();
    }
    EXPECT_EQ(sum, 22);
    EXPECT_EQ(actions["segment_alloc"], 3);
    EXPECT_EQ(actions["segment_free"], 1);
    EXPECT_EQ(actions["free_requested"], 5);
    EXPECT_EQ(actions["free_completed"], 4);
}

TEST(Info, SaysWhatTheFileIs)
{
    const std::string path = samplePath("encodings/tiny.pickle.gz");
    const json file = infoOf(path);
    EXPECT_EQ(file["path"], path);
    EXPECT_EQ(file["format"], "pytorch-snapshot");
    EXPECT_EQ(file["container"], json::array({"gzip"}));
    EXPECT_EQ(file["bytes"], test::readWholeFile(path).size());
    EXPECT_EQ(file["complete"], true);
    EXPECT_TRUE(file["sha256"].is_null());
    EXPECT_TRUE(file["rank"].is_null());
}

TEST(Info, HashesOnRequest)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("a.pickle", test::readWholeFile(samplePath(kTinySample)));
    const std::string hash = infoOf(path, {"--hash"})["sha256"];
    EXPECT_EQ(hash.size(), 64u);
    EXPECT_EQ(hash, infoOf(samplePath(kTinySample), {"--hash"})["sha256"]);
}

TEST(Info, TakesRankAndStepFromTheName)
{
    const test::TemporaryFolder folder;
    const json file
        = infoOf(folder.write("000003_step_20.pickle", test::readWholeFile(samplePath(kTinySample))));
    EXPECT_EQ(file["rank"], 3);
    EXPECT_EQ(file["step"], 20);
}

TEST(Info, ListsOutOfMemoryEvents)
{
    const json device = infoOf(samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst"))["devices"][0];
    ASSERT_EQ(device["ooms"].size(), 1u);
    EXPECT_EQ(device["ooms"][0]["requested_bytes"], 900 * 1024 * 1024);
    EXPECT_EQ(device["ooms"][0]["device_free_bytes"], 300 * 1024 * 1024);
    EXPECT_EQ(infoOf(samplePath(kTinySample))["devices"][0]["ooms"], json::array());
}

TEST(Info, CountsProfilerStepsAndAnnotations)
{
    const json spans = infoOf(samplePath("pytorch-snapshot/user-annotated-phases.pickle.zst"))["spans"];
    EXPECT_EQ(spans["steps"], 4);
    EXPECT_GT(spans["annotations"].get<int>(), 4);
    EXPECT_EQ(infoOf(samplePath(kTinySample))["spans"]["annotations"], 2);
}

TEST(Info, GivesNoSpanWithoutTimes)
{
    EXPECT_TRUE(
        infoOf(samplePath("encodings/tiny-torch-2.0-dict.pickle"))["devices"][0]["span_us"].is_null());
    EXPECT_EQ(infoOf(samplePath(kTinySample))["devices"][0]["span_us"], 283);
}

TEST(Info, WritesEntriesOfTheImportLog)
{
    const json log = infoOf(samplePath("broken/wrong-types.pickle"))["import_log"];
    ASSERT_FALSE(log.empty());
    for (const char* key : {"severity", "code", "message", "count", "first_at"})
        EXPECT_TRUE(log[0].contains(key)) << key;
}

TEST(Info, SaysThatATruncatedFileIsIncomplete)
{
    const json file = infoOf(samplePath("broken/truncated.pickle"));
    EXPECT_EQ(file["complete"], false);
    EXPECT_TRUE(file["error"].get<std::string>().ends_with("(at byte 6,466)")) << file["error"];
}

TEST(Info, PrintsEveryReadableFileAndTheWorstCodeCounts)
{
    const std::string broken = samplePath("broken/memo-unset.pickle");
    const ProgramRun run = runHighwater({"info", samplePath(kTinySample), broken,
        samplePath("broken/truncated.pickle"), samplePath("encodings/tiny.json"), "--json"});
    EXPECT_EQ(run.exitCode, 3);
    const json files = parseJson(run.out)["files"];
    ASSERT_EQ(files.size(), 4u);
    EXPECT_EQ(files[1]["path"], broken);
    EXPECT_TRUE(files[1]["error"].get<std::string>().ends_with("(at byte 15)")) << files[1]["error"];
    EXPECT_EQ(files[3]["complete"], true);
}

TEST(Info, TakesADirectoryForTheFilesInIt)
{
    const ProgramRun run = runHighwater({"info", samplePath("encodings"), "--json"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(parseJson(run.out)["files"].size(), test::sampleNames("encodings").size());
}

TEST(Info, PrintsOneJsonDocumentAlsoForFilesThatCannotBeRead)
{
    const ProgramRun run = runHighwater({"info", samplePath("broken/empty.pickle"), "--json"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(parseJson(run.out)["files"][0].contains("error"));
}

TEST(Info, GivesTheRankOfEveryFileOfAFolder)
{
    const ProgramRun run = runHighwater({"info", samplePath("ranks"), "--json"});
    EXPECT_EQ(run.exitCode, 0);
    const json document = parseJson(run.out);
    ASSERT_EQ(document["files"].size(), 4u);
    for (int rank = 0; rank < 4; ++rank)
        EXPECT_EQ(document["files"][static_cast<std::size_t>(rank)]["rank"], rank);
}

TEST(Info, NamesTheRankThatStandsOut)
{
    const json ranks = parseJson(runHighwater({"info", samplePath("ranks"), "--json"}).out)["ranks"];
    EXPECT_EQ(ranks["median_peak_bytes"], 403'605'508);
    ASSERT_EQ(ranks["outliers"].size(), 1u);
    EXPECT_EQ(ranks["outliers"][0]["rank"], 2);
    EXPECT_EQ(ranks["outliers"][0]["peak_bytes"], 540'968'968);
    EXPECT_EQ(ranks["outliers"][0]["above_median_bytes"], 137'363'460);
}

TEST(Info, ShowsAPersonTheRanksInOrder)
{
    const std::string out = runHighwater(
        {"info", samplePath("ranks/rank2_snapshot.pickle.zst"), samplePath("ranks/rank0_snapshot.pickle.zst"),
            samplePath("ranks/rank1_snapshot.pickle.zst")})
                                .out;
    const std::string table = out.substr(out.find("\nFiles and ranks"));
    EXPECT_LT(table.find("rank 0"), table.find("rank 1"));
    EXPECT_LT(table.find("rank 1"), table.find("rank 2"));
    EXPECT_TRUE(test::hasParts(table,
        {"ank 2 ran out of memory", "131 MiB above the median of 3 ranks", "515.91 MiB", "384.91 MiB"}));
}

TEST(Info, OfOneFileComparesNoRanks)
{
    EXPECT_FALSE(parseJson(runHighwater({"info", samplePath(kTinySample), "--json"}).out).contains("ranks"));
}

TEST(Info, ComparesNoRanksWhereALogComesWithOneSnapshot)
{
    const ProgramRun run = runHighwater({"info", samplePath("rehearsed/r2-grpo-logits-before.pickle.zst"),
        samplePath("trainers/r2-grpo-logits-before.jsonl")});
    EXPECT_NE(run.out.find("mem_max_alloc_mb"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("Files and ranks"), std::string::npos) << run.out;
}

TEST(Info, ComparesTheOtherRanksWhereOneIsBroken)
{
    const ProgramRun run = runHighwater({"info", samplePath("ranks/rank0_snapshot.pickle.zst"),
        samplePath("broken/empty.pickle"), samplePath("ranks/rank1_snapshot.pickle.zst"), "--json"});
    EXPECT_EQ(run.exitCode, 3);
    const json ranks = parseJson(run.out)["ranks"];
    EXPECT_EQ(ranks["groups"][0]["ranks"], 2);
    EXPECT_TRUE(ranks["outliers"].empty());
}

TEST(Info, ShowsAPersonTheFigures)
{
    const std::string out = runHighwater({"info", samplePath(kTinySample)}).out;
    for (const char* text :
        {"GPU 0", "22 MiB", "23,069,672 B", "peak reserved", "reserved at the end", "pytorch-snapshot"})
        EXPECT_NE(out.find(text), std::string::npos) << text;
}

TEST(Info, NamesTheProcessOfADeviceWhereTwoHaveItsNumber)
{
    const json devices = infoOf(samplePath("nsys/two-ranks-card-unknown-3.16.1.sqlite"))["devices"];
    EXPECT_EQ(devices[0]["process"], 5000);
    EXPECT_EQ(devices[1]["process"], 5001);
    EXPECT_EQ(devices[1]["quantity"], "device_used");
    EXPECT_TRUE(infoOf(samplePath(kTinySample))["devices"][0]["process"].is_null());
}

TEST(Info, CountsAnnotationsAndOperatorsWithoutMemoryEvents)
{
    const json file = infoOf(samplePath("nsys/no-memory-table-3.25.0.sqlite"));
    EXPECT_EQ(file["spans"], (json{{"steps", 0}, {"annotations", 18}, {"operators", 126}}));
    EXPECT_TRUE(test::hasParts(runHighwater({"info", samplePath("nsys/no-memory-table-3.25.0.sqlite")}).out,
        {"18 annotations", "126 operator calls"}));
}

TEST(Info, MarksSeriesThatSampleTheMemoryInUse)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("smi.csv",
        "timestamp, index, name, memory.used [MiB], memory.total [MiB]\n"
        "2026/11/20 10:00:00.000, 0, NVIDIA L4, 1024 MiB, 23034 MiB\n"
        "2026/11/20 10:00:01.000, 0, NVIDIA L4, 20024 MiB, 23034 MiB\n");
    const json document = parseJson(runHighwater({"info", path, "--json"}).out);
    std::map<std::string, bool> sampled;
    for (const json& counter : document["files"][0]["counters"])
        sampled[counter["metric"]] = counter["sampled"];
    EXPECT_EQ(sampled, (std::map<std::string, bool>{{"device_total", false}, {"device_used", true}}));
    EXPECT_TRUE(test::hasParts(runHighwater({"info", path}).out, {"device used; samples can miss a peak"}));
    EXPECT_TRUE(test::hasParts(
        runHighwater({"findings", path}).out, {"The highest sample of GPU memory is 19.55 GiB"}));
}

TEST(Info, PrintsANoteThatSeriesShareOnce)
{
    EXPECT_TRUE(test::hasParts(runHighwater({"info", samplePath("logs/kinds/autobatch.log")}).out,
        {"reserved, GPU 1; allocated, GPU 1: samples can miss a peak\n"}));
}

TEST(Info, SaysHowMuchOfTheStartIsLostAndFromWhenTheRecordingIsWhole)
{
    const std::string path = samplePath("pytorch-snapshot/ring-buffer-overflow.pickle.zst");
    const json lost = infoOf(path)["devices"][0]["lost_start"];
    EXPECT_EQ(lost["whole_from_us"], 1'790'000'000'036'649);
    EXPECT_GT(lost["allocations_at_least"], 0);
    EXPECT_TRUE(test::hasParts(runHighwater({"info", path}).out, {"at least", "lost", "from event 0 on"}));
    EXPECT_FALSE(infoOf(samplePath(kTinySample))["devices"][0].contains("lost_start"));
}

} // namespace highwater
