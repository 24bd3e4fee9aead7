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

json peaksOf(const std::string& sample, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"peaks", samplePath(sample), "--json"});
    return parseJson(runHighwater(options).out);
}

std::int64_t sumOf(const json& live, const char* key)
{
    std::int64_t sum = live["rest"][key].get<std::int64_t>();
    for (const json& group : live["groups"])
        sum += group[key].get<std::int64_t>();
    return sum;
}

} // namespace

TEST(Peaks, ShowsThePeakByDefault)
{
    const json live = peaksOf(kTinySample)["live"];
    EXPECT_EQ(live["event"], 10);
    EXPECT_EQ(live["bytes"], 23'069'672);
    EXPECT_EQ(live["blocks"], 5);
    EXPECT_EQ(live["group"], "stack");
    EXPECT_EQ(live["quantity"], "requested");
}

class PeaksBy : public testing::TestWithParam<const char*>
{
};

TEST_P(PeaksBy, AddUpExactly)
{
    for (const char* sample : {kTinySample, "pytorch-snapshot/private-pool.pickle.zst"})
        for (const char* top : {"0", "2"}) {
            const json live = peaksOf(sample, {"--group", GetParam(), "--top", top})["live"];
            EXPECT_EQ(live["group"], GetParam());
            EXPECT_EQ(sumOf(live, "bytes"), live["bytes"].get<std::int64_t>()) << sample;
            EXPECT_EQ(sumOf(live, "count"), live["blocks"].get<std::int64_t>()) << sample;
        }
}

INSTANTIATE_TEST_SUITE_P(Groups, PeaksBy,
    testing::Values("stack", "site", "function", "file", "size", "stream", "pool", "allocation"));

TEST(Peaks, CutsToTheLargestGroups)
{
    const json live = peaksOf(kTinySample, {"--group", "allocation", "--top", "2"})["live"];
    EXPECT_EQ(live["groups"].size(), 2u);
    EXPECT_EQ(live["groups"][0]["bytes"], 12'582'912);
    EXPECT_EQ(live["rest"]["groups"], 3);
}

TEST(Peaks, ShowsAnyOtherMoment)
{
    const json after = peaksOf(kTinySample, {"--at", "21"})["live"];
    EXPECT_EQ(after["event"], 21);
    EXPECT_EQ(after["bytes"], 9'438'698);
    const json before = peaksOf(kTinySample, {"--at", "-1"})["live"];
    EXPECT_EQ(before["event"], -1);
    EXPECT_EQ(before["bytes"], 0);
    EXPECT_EQ(before["groups"], json::array());
}

TEST(Peaks, NamesTheNodeOfBackwardWhereThereIsNoPython)
{
    const json live = peaksOf(kTinySample, {"--group", "site", "--top", "0"})["live"];
    bool found = false;
    for (const json& group : live["groups"])
        found = found || (group["key"] == "backward · MmBackward0" && group["bytes"] == 4'194'304);
    EXPECT_TRUE(found) << live.dump(1);
}

TEST(Peaks, ChoosesTheDeviceWithTheLargestPeak)
{
    EXPECT_EQ(peaksOf("pytorch-snapshot/two-devices.pickle.zst")["device"], 1);
    EXPECT_EQ(peaksOf("pytorch-snapshot/host-pinned.pickle.zst")["kind"], "cuda");
}

TEST(Peaks, TakesADeviceByNumberOrName)
{
    EXPECT_EQ(
        peaksOf("pytorch-snapshot/two-devices.pickle.zst", {"--device", "0"})["live"]["bytes"], 75'057'152);
    EXPECT_EQ(peaksOf("pytorch-snapshot/two-devices.pickle.zst", {"--device", "cuda:0"})["live"]["bytes"],
        75'057'152);
    EXPECT_EQ(peaksOf("pytorch-snapshot/host-pinned.pickle.zst", {"--device", "host"})["kind"], "host");
}

TEST(Peaks, SaysWhichDevicesThereAre)
{
    const auto run
        = runHighwater({"peaks", samplePath("pytorch-snapshot/two-devices.pickle.zst"), "--device", "5"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(test::hasParts(run.err, {"device 5", "cuda:0, cuda:1"}));
}

TEST(Peaks, OfATruncatedFileAreThoseOfWhatWasRead)
{
    const auto run = runHighwater({"peaks", samplePath("broken/truncated.pickle"), "--json"});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(parseJson(run.out).contains("live"));
}

TEST(Peaks, BySizeSayWhatShapesTheyMayBe)
{
    const json live = peaksOf("pytorch-snapshot/r1-grpo-before.pickle.zst",
        {"--group", "size", "--config", samplePath("budget/r1-grpo.yaml")})["live"];
    const json& logits = live["groups"][2];
    ASSERT_EQ(logits["key"], "139,915,488 B");
    ASSERT_EQ(logits["shapes"].size(), 1u);
    EXPECT_EQ(logits["shapes"][0]["text"], "[8, 174, 50257] 16-bit");
    EXPECT_EQ(logits["shapes"][0]["grade"], "B");
    EXPECT_EQ(logits["shapes"][0]["count"], 29);
    EXPECT_EQ(logits["shapes"][0]["dimensions"][1], json({{"size", 174}, {"name", "T"}}));
    EXPECT_EQ(live["groups"][1]["shapes"][0]["text"], "[8, 1024, 768] 16-bit")
        << "the length that the settings do not say";
}

TEST(Peaks, InferShapesWithoutSettings)
{
    const json live
        = peaksOf("pytorch-snapshot/training-6-steps-bare.pickle.zst", {"--group", "size"})["live"];
    EXPECT_EQ(live["groups"][0]["shapes"][0]["text"], "[2048, 8192] fp32");
    EXPECT_EQ(live["groups"][0]["shapes"][0]["grade"], "C");
    EXPECT_FALSE(peaksOf(kTinySample)["live"]["groups"][0].contains("shapes")) << "stacks have none";
}

TEST(Peaks, ShowsAPersonATableWithShares)
{
    const std::string out
        = runHighwater({"peaks", samplePath(kTinySample), "--group", "site", "--top", "2"}).out;
    EXPECT_TRUE(test::hasParts(out,
        {"(23,069,672 B, requested) in 5 allocations", "event 10", "Share", "64%", "18%", "total", "100%"}));
}

TEST(Peaks, OfSeveralFilesAreADocumentEach)
{
    const auto run = runHighwater(
        {"peaks", samplePath(kTinySample), "/nowhere", samplePath("encodings/tiny.json"), "--json"});
    EXPECT_EQ(run.exitCode, 3);
    const json files = parseJson(run.out)["files"];
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[0]["live"], peaksOf(kTinySample)["live"]);
    EXPECT_EQ(files[1]["path"], "/nowhere");
    EXPECT_TRUE(files[1].contains("error"));
    EXPECT_EQ(files[2]["live"]["bytes"], files[0]["live"]["bytes"]);
}

TEST(Peaks, OfAFolderAreThoseOfItsRecordings)
{
    const auto run = runHighwater({"peaks", samplePath("ranks"), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(parseJson(run.out)["files"].size(), 4u);
    EXPECT_EQ(parseJson(run.out)["run"]["main"]["rank"], 2);
}

TEST(Peaks, OfAFolderArePrintedOfItsMainRank)
{
    const std::string out = runHighwater({"peaks", samplePath("ranks")}).out;
    EXPECT_LT(out.find("rank 2 (of 4 ranks)"), out.find('\n')) << out;
    EXPECT_NE(out.find("GPU 0  515.91 MiB in use"), std::string::npos) << out;
    EXPECT_EQ(out.find("384.91 MiB in use"), std::string::npos) << "other ranks are not listed";
}

TEST(Peaks, ArePrintedByTheUsersSiteAndInJsonByStack)
{
    const std::string grpo = samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst");
    const std::string out = runHighwater({"peaks", grpo}).out;
    EXPECT_NE(out.find("forward (model.py:39) [forward (linear.py:134)]"), std::string::npos) << out;
    EXPECT_EQ(out.find("Phase"), std::string::npos) << "steps are printed with --steps only";
    EXPECT_EQ(parseJson(runHighwater({"peaks", grpo, "--json"}).out)["live"]["group"], "stack");
    const json bySite = parseJson(
        runHighwater({"peaks", grpo, "--json", "--group", "user-site", "--top", "0"}).out)["live"];
    std::int64_t sum = 0;
    for (const json& group : bySite["groups"])
        sum += group["bytes"].get<std::int64_t>();
    EXPECT_EQ(sum, bySite["bytes"]);
}

TEST(Peaks, PrintForwardBackwardPairsWhereTheyAreAskedFor)
{
    const std::string out = runHighwater(
        {"peaks", samplePath("pytorch-snapshot/gradient-accumulation.pickle.zst"), "--micro-steps"})
                                .out;
    EXPECT_NE(out.find("Forward-backward pairs"), std::string::npos) << out;
    const std::string none = runHighwater({"peaks", samplePath(kTinySample), "--micro-steps"}).out;
    EXPECT_NE(none.find("No step has several"), std::string::npos) << none;
}

TEST(Peaks, InAllocatedBytesSaysThatTheyAreInferred)
{
    const json requested = peaksOf(kTinySample)["live"];
    const json live = peaksOf(kTinySample, {"--quantity", "allocated"})["live"];
    EXPECT_EQ(requested["inferred"], false);
    EXPECT_EQ(live["quantity"], "allocated");
    EXPECT_EQ(live["inferred"], true);
    EXPECT_GE(live["bytes"].get<std::int64_t>(), requested["bytes"].get<std::int64_t>());
    EXPECT_EQ(live["bytes"].get<std::int64_t>() % 512, 0);
    EXPECT_EQ(sumOf(live, "bytes"), live["bytes"].get<std::int64_t>());
}

TEST(Peaks, AtTheEndInAllocatedBytesAreThoseOfTheSnapshot)
{
    const json file = parseJson(runHighwater({"info", samplePath(kTinySample), "--json"}).out)["files"][0];
    const json device = file["devices"][0];
    const std::string last = std::to_string(device["events"].get<std::int64_t>() - 1);
    const json live = peaksOf(kTinySample, {"--quantity", "allocated", "--at", last})["live"];
    EXPECT_EQ(live["bytes"], device["final_allocated_bytes"]);
    EXPECT_EQ(live["inferred"], false);
}

TEST(Peaks, OfHostMemoryHaveNoAllocatedBytes)
{
    const auto run = runHighwater({"peaks", samplePath("pytorch-snapshot/host-pinned.pickle.zst"), "--device",
        "host", "--quantity", "allocated"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("has requested bytes on host"), std::string::npos) << run.err;
}

TEST(Peaks, ByCategoryAddUpAndFollowTheUsersRules)
{
    const char* const sample = "pytorch-snapshot/training-6-steps-bare.pickle.zst";
    const json live = peaksOf(sample, {"--group", "category"})["live"];
    EXPECT_EQ(live["groups"][0]["key"], "activation");
    EXPECT_EQ(sumOf(live, "bytes"), live["bytes"]);
    const test::TemporaryFolder folder;
    const std::string rules
        = folder.write("rules.json", R"([{"category": "kv_cache", "frames": "build_model"}])");
    const json ruled = peaksOf(sample, {"--group", "category", "--rules", rules})["live"];
    EXPECT_EQ(ruled["groups"].back()["key"], "kv_cache");
    EXPECT_EQ(ruled["groups"].back()["bytes"], 21'288'960);
    EXPECT_EQ(sumOf(ruled, "bytes"), live["bytes"]);
}

TEST(Peaks, SayWhatIsWrongWithTheUsersRules)
{
    const test::TemporaryFolder folder;
    const std::string rules = folder.write("rules.json", R"([{"category": "weights"}])");
    const auto wrong = runHighwater({"peaks", samplePath(kTinySample), "--rules", rules});
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_TRUE(wrong.err.find("rule 1: unknown category \"weights\"") != std::string::npos) << wrong.err;
    EXPECT_EQ(runHighwater({"peaks", samplePath(kTinySample), "--rules", rules + ".absent"}).exitCode, 3);
}

TEST(Peaks, ListTheStepsWithEveryKeyOfTheManual)
{
    const json document = peaksOf("pytorch-snapshot/training-6-steps-annotated.pickle.zst");
    ASSERT_EQ(document["steps"].size(), 6u);
    const json step = document["steps"][1];
    EXPECT_EQ(step["index"], 1);
    EXPECT_EQ(step["name"], "step 1");
    EXPECT_EQ(step["source"], "optimizer-annotation");
    EXPECT_EQ(step["grade"], "A");
    EXPECT_EQ(step["begin_event"], 651);
    EXPECT_EQ(step["end_event"], 1'210);
    EXPECT_LT(step["begin_us"], step["end_us"]);
    EXPECT_EQ(step["start_bytes"], 85'155'840);
    EXPECT_EQ(step["peak_bytes"], 403'605'508);
    EXPECT_EQ(step["peak_event"], 820);
    EXPECT_EQ(step["end_bytes"], 85'155'840);
    EXPECT_EQ(step["phase"], "backward");
    EXPECT_EQ(step["quantity"], "requested");
    EXPECT_EQ(step["complete"], true);
    EXPECT_EQ(step["micro_steps"], json::array());
    EXPECT_EQ(document["import_log"], json::array());
}

TEST(Peaks, ShowTheMomentOfAStepsPeak)
{
    const char* const sample = "pytorch-snapshot/gradient-accumulation.pickle.zst";
    const json document = peaksOf(sample, {"--step", "2"});
    EXPECT_EQ(document["live"]["event"], document["steps"][2]["peak_event"]);
    EXPECT_EQ(document["live"]["bytes"], document["steps"][2]["peak_bytes"]);
    EXPECT_EQ(document["steps"][2]["micro_steps"].size(), 2u);
    EXPECT_EQ(runHighwater({"peaks", samplePath(sample), "--step", "3"}).exitCode, 2);
    EXPECT_EQ(runHighwater({"peaks", samplePath(sample), "--step", "1", "--at", "5"}).exitCode, 2);
}

TEST(Peaks, SayWhyNothingTellsStepsApart)
{
    const json document = peaksOf("pytorch-snapshot/private-pool.pickle.zst");
    EXPECT_EQ(document["steps"].size(), 1u);
    EXPECT_EQ(document["steps"][0]["source"], "whole");
    EXPECT_EQ(document["import_log"][0]["code"], "steps-not-told-apart");
    EXPECT_EQ(document["import_log"][0]["message"], document["steps_reason"]);
}

TEST(Peaks, TakeStepsFromTheSourceThatWasAskedFor)
{
    const char* const sample = "pytorch-snapshot/training-6-steps-annotated.pickle.zst";
    EXPECT_EQ(peaksOf(sample, {"--step-source", "periodicity"})["steps"][0]["source"], "periodicity");
    EXPECT_EQ(peaksOf(sample, {"--step-pattern", "Optimizer.step"})["steps"][0]["source"], "nvtx");
    EXPECT_EQ(runHighwater({"peaks", samplePath(sample), "--step-pattern", "("}).exitCode, 2);
}

TEST(Peaks, ShowPeopleTheFirstAndTheLargestOfManySteps)
{
    const std::string out = runHighwater(
        {"peaks", samplePath("pytorch-snapshot/r1-grpo-after.pickle.zst"), "--top", "1", "--steps"})
                                .out;
    EXPECT_TRUE(test::hasParts(out, {"21 steps", "Optimizer.step", "9 steps are left out"}));
    EXPECT_NE(out.find("step 5 "), std::string::npos);
    EXPECT_EQ(out.find("step 6 "), std::string::npos);
    EXPECT_NE(out.find("step 20 "), std::string::npos);
}

TEST(PeaksDevice, OfTwoProcessesIsNamedByItsLabel)
{
    const std::string path = samplePath("nsys/two-ranks-card-unknown-3.16.1.sqlite");
    const ProgramRun byNumber = runHighwater({"peaks", path, "--device", "0"});
    EXPECT_EQ(byNumber.exitCode, 2);
    EXPECT_NE(byNumber.err.find("cuda:0 · pid 5000, cuda:0 · pid 5001"), std::string::npos);
    const ProgramRun byLabel = runHighwater({"peaks", path, "--device", "cuda:0 · pid 5001", "--json"});
    EXPECT_EQ(parseJson(byLabel.out)["live"]["bytes"], 169'869'312);
}

TEST(PeaksDevice, OfAFileWithoutMemoryEventsSaysWhatWouldRecordThem)
{
    const ProgramRun run = runHighwater({"peaks", samplePath("nsys/no-memory-table-3.25.0.sqlite")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("--cuda-memory-usage=true"), std::string::npos) << run.err;
}

} // namespace highwater
