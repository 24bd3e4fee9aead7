#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;

namespace {

/// Saves the sample ranks as summaries.
void summarizeRanks(const test::TemporaryFolder& folder)
{
    for (const char* rank : {"0", "1", "2", "3"}) {
        const test::ProgramRun run = runHighwater(
            {"summarize", samplePath("ranks/rank" + std::string(rank) + "_snapshot.pickle.zst"), "-o",
                (folder.path() / ("rank" + std::string(rank) + ".hws")).string()});
        ASSERT_EQ(run.exitCode, 0) << run.err;
    }
}

json ranksOf(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "ranks");
    arguments.push_back("--json");
    return parseJson(runHighwater(arguments).out);
}

} // namespace

TEST(SummarizeCommand, SaysWhatTheFileHoldsAndHowItsRankWasFound)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "a.hws").string();
    const json document = parseJson(
        runHighwater({"summarize", samplePath("ranks/rank2_snapshot.pickle.zst"), "-o", out, "--json"}).out);
    EXPECT_EQ(document["rank"], 2);
    EXPECT_EQ(document["found_by"]["rank"], "file name");
    EXPECT_EQ(document["bytes"], std::filesystem::file_size(out));
    EXPECT_FALSE(document["limits"].empty());
}

TEST(SummarizeCommand, TakesTheIdentityThatIsSaid)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "a.hws").string();
    const std::string recording = samplePath("ranks/rank2_snapshot.pickle.zst");
    const json document = parseJson(
        runHighwater({"summarize", recording, "-o", out, "--json", "--identity", "rank=7,pp=1"}).out);
    EXPECT_EQ(document["rank"], 7);
    EXPECT_EQ(document["pp"], 1);
    EXPECT_EQ(document["found_by"]["rank"], "option");
    const test::ProgramRun wrong
        = runHighwater({"summarize", recording, "-o", out, "--identity", "colour=blue", "--force"});
    EXPECT_EQ(wrong.exitCode, 2);
}

TEST(SummarizeCommand, RefusesASummaryAndWhatHasNoDevice)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "a.hws").string();
    EXPECT_EQ(
        runHighwater({"summarize", samplePath("ranks/rank2_snapshot.pickle.zst"), "-o", out}).exitCode, 0);
    const test::ProgramRun again = runHighwater({"summarize", out, "-o", (folder.path() / "b.hws").string()});
    EXPECT_EQ(again.exitCode, 2);
    EXPECT_NE(again.err.find("is a summary already"), std::string::npos) << again.err;
    EXPECT_NE(
        runHighwater({"summarize", samplePath("logs/r4-verl-before.err"), "-o", out, "--force"}).exitCode, 0);
}

TEST(SummarizeCommand, WritesWhatEveryCommandForOneFileReads)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "a.hws").string();
    const std::string recording = samplePath("pytorch-snapshot/fault-growth.pickle.zst");
    ASSERT_EQ(runHighwater({"summarize", recording, "-o", out}).exitCode, 0);
    const auto answer = [](const std::string& command, const std::string& file) {
        return parseJson(runHighwater({command, file, "--json"}).out);
    };
    const json info = answer("info", out)["files"][0];
    EXPECT_EQ(info["format"], "highwater-summary");
    EXPECT_EQ(
        info["devices"][0]["peak_bytes"], answer("info", recording)["files"][0]["devices"][0]["peak_bytes"]);
    const json steps = answer("peaks", out)["steps"];
    const json recorded = answer("peaks", recording)["steps"];
    ASSERT_EQ(steps.size(), recorded.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        for (const char* key : {"name", "source", "grade", "start_bytes", "peak_bytes", "end_bytes", "phase"})
            EXPECT_EQ(steps[i][key], recorded[i][key]) << i << ' ' << key;
    EXPECT_EQ(answer("findings", out)["findings"].size(), answer("findings", recording)["findings"].size());
    for (const char* kind : {"timeline", "steps", "composition"})
        EXPECT_EQ(runHighwater({"figure", out, "--kind", kind, "-o", "-"}).exitCode, 0) << kind;
    EXPECT_EQ(runHighwater({"report", out, "-o", "-", "--json"}).exitCode, 0);
}

TEST(SummarizeCommand, WritesWhatCommandsThatNeedSegmentsRefuseOrSayTheyLack)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "a.hws").string();
    const std::string recording = samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst");
    ASSERT_EQ(runHighwater({"summarize", recording, "-o", out}).exitCode, 0);
    const json segments = parseJson(runHighwater({"segments", out, "--json"}).out);
    EXPECT_EQ(segments["segments"], 0);
    EXPECT_EQ(segments["out_of_memory"]["verdict"], "unknown") << "nothing is known of what was free";
    EXPECT_EQ(runHighwater({"what-if", out}).exitCode, 2);
    EXPECT_EQ(runHighwater({"convert", out, "-o", (folder.path() / "a.hwt").string()}).exitCode, 2);
}

TEST(RanksCommand, SaysOfSummariesWhatItSaysOfTheRecordings)
{
    const test::TemporaryFolder folder;
    summarizeRanks(folder);
    json summaries = ranksOf({folder.path().string(), "--steps"});
    json recordings = ranksOf({samplePath("ranks"), "--steps"});
    ASSERT_EQ(summaries["ranks"].size(), 4u);
    for (json* document : {&summaries, &recordings})
        for (json& rank : (*document)["ranks"])
            rank.erase("path");
    for (const char* key :
        {"highest", "groups", "out_of_memory", "leaks", "settings", "missing", "map", "ranks"})
        EXPECT_EQ(summaries[key], recordings[key]) << key;
}

TEST(ReportCommand, TellsTheRanksOfAFolderOfSummariesAsTheirCommandDoes)
{
    const test::TemporaryFolder folder;
    summarizeRanks(folder);
    const json ranks = ranksOf({folder.path().string()});
    const test::ProgramRun run = runHighwater({"report", folder.path().string(), "-o", "-", "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const json sections = parseJson(run.out)["sections"];
    EXPECT_TRUE(std::ranges::any_of(sections, [](const json& one) { return one["part"] == "ranks"; }));
    // The report may say a sentence with more detail, such as in its headline.
    constexpr std::size_t kBeginning = 11;
    for (const json& sentence : ranks["sentences"])
        EXPECT_NE(run.out.find(sentence.dump().substr(1, kBeginning)), std::string::npos) << sentence;
    EXPECT_EQ(run.out.find("There is no file"), std::string::npos) << "the one that is shown is a rank";
}

TEST(RanksCommand, ReadsAListAndNamesWhatItCannotRead)
{
    const test::TemporaryFolder folder;
    summarizeRanks(folder);
    const std::string bytes = test::readWholeFile(folder.path() / "rank1.hws");
    folder.write("rank1.hws", std::string_view(bytes).substr(0, bytes.size() / 2));
    folder.write("notes.txt", "nothing here");
    folder.write("list", "# ranks\nrank0.hws\nrank1.hws\nrank2.hws\nrank3.hws\nnotes.txt\n");
    const test::ProgramRun run = runHighwater({"ranks", "@" + (folder.path() / "list").string(), "--json"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_NE(run.err.find("rank1.hws: the summary ends early"), std::string::npos) << run.err;
    const json document = parseJson(run.out);
    EXPECT_EQ(document["ranks"].size(), 3u);
    ASSERT_EQ(document["troubles"].size(), 2u);
    EXPECT_EQ(document["troubles"][0]["kind"], "foreign");
    EXPECT_EQ(document["troubles"][1]["kind"], "damaged");
    EXPECT_EQ(document["troubles"][1]["rank"], 1);
}

TEST(RanksCommand, TellsWhatALogBesideTheRanksWasUsedFor)
{
    const test::TemporaryFolder folder;
    for (const char* rank : {"0", "2"}) {
        const std::string name = "rank" + std::string(rank) + "_snapshot.pickle.zst";
        folder.write(name, test::readWholeFile(samplePath("ranks/" + name)));
    }
    folder.write("fit.err",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 112.00 MiB. GPU 0 has a total "
        "capacity "
        "of 22.06 GiB of which 104.00 MiB is free. Of the allocated memory 515.91 MiB is allocated by "
        "PyTorch, "
        "and 77.59 MiB is reserved by PyTorch but unallocated.\n");
    folder.write("notes.txt", "nothing here");
    const json document = ranksOf({folder.path().string()});
    ASSERT_EQ(document["troubles"].size(), 2u);
    EXPECT_EQ(document["troubles"][0]["reason"], "read as a log of the run, not as a rank");
    EXPECT_EQ(std::string(document["troubles"][1]["reason"]).find("read as a log"), std::string::npos);
}

TEST(RanksCommand, PrintsTablesAndDrawsTheMap)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "map.svg").string();
    const test::ProgramRun run = runHighwater({"ranks", samplePath("ranks"), "-o", out});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_NE(run.out.find(
                  "above the median of 4 ranks (515.91 MiB; median 384.91 MiB), in the backward of step 2."),
        std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("The ranks of the run"), std::string::npos) << run.out;
    const std::string svg = test::readWholeFile(out);
    EXPECT_NE(svg.find("<rect"), std::string::npos);
    EXPECT_EQ(runHighwater({"ranks", samplePath("ranks"), "-o", out}).exitCode, 2) << "it is there";
}

TEST(RanksCommand, OfNothingSaysSo)
{
    const test::TemporaryFolder folder;
    const test::ProgramRun run = runHighwater({"ranks", folder.path().string()});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_FALSE(run.err.empty());
    EXPECT_EQ(runHighwater({"ranks", "@/nowhere/list"}).exitCode, 3);
}

} // namespace highwater
