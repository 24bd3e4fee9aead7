// Checks that the given files form one run: every interface shows the same main file, rank and device.
#include <algorithm>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::realFilePath;
using test::runHighwater;
using test::samplePath;

std::string nameOf(const std::string& path)
{
    return fs::path(path).filename().string();
}

json answerTo(std::vector<std::string> arguments, const std::vector<std::string>& files)
{
    arguments.insert(arguments.end(), files.begin(), files.end());
    return parseJson(runHighwater(arguments).out);
}

/// Returns "rank2.pickle, rank 2, device 0" for the run in a document; empty if it has none.
std::string mainOf(const json& document)
{
    if (!document.is_object() || !document.contains("run") || document["run"].is_null())
        return {};
    const json& main = document["run"]["main"];
    return nameOf(main["path"]) + ", rank " + main["rank"].dump() + ", device " + main["device"].dump();
}

/// Calls one of the tools for agents and returns its answer.
json toolAnswer(const std::string& tool, const json& arguments, const std::string& folder)
{
    const json hello = {{"jsonrpc", "2.0"}, {"id", 0}, {"method", "initialize"},
        {"params",
            {{"protocolVersion", "2025-06-18"}, {"capabilities", json::object()},
                {"clientInfo", {{"name", "test"}, {"version", "1"}}}}}};
    const json call = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/call"},
        {"params", {{"name", tool}, {"arguments", arguments}}}};
    test::RunOptions options;
    options.input = hello.dump() + "\n" + call.dump() + "\n";
    const std::string out = runHighwater({"mcp", folder}, options).out;
    for (std::size_t begin = 0; begin < out.size();) {
        const std::size_t end = std::min(out.find('\n', begin), out.size());
        const json answer = parseJson(out.substr(begin, end - begin));
        begin = end + 1;
        if (answer.is_object() && answer.value("id", 0) == 1)
            return parseJson(std::string(answer["result"]["content"][0]["text"]));
    }
    return nullptr;
}

/// Returns `report` if the diff of a run with itself is about the same file, otherwise the name of the diff's
/// file.
std::string pathOfDiff(const json& diff, const std::string& report)
{
    if (!diff.is_object() || !diff.contains("before") || !diff["before"].contains("path"))
        return {};
    const std::string name = nameOf(diff["before"]["path"]);
    return report.starts_with(name + ",") ? report : name;
}

/// Returns the description of a figure from the file's name on, without the capacity: file, device, peak. The
/// headline before it may also say how the other ranks of a folder did; a log in the folder may state the
/// capacity or the limit of the process.
std::string descriptionFrom(const std::string& name, const std::string& figure)
{
    const std::string title = figure.substr(0, figure.find("</title>"));
    const std::size_t at = title.rfind(name);
    return at == std::string::npos ? std::string()
                                   : title.substr(at, title.find("; reserved up to", at) - at);
}

/// Returns `report` if the figure for a folder is described as the figure for its main file, otherwise the
/// beginning of the figure.
std::string fileOfFigure(const std::string& folder, const std::string& report)
{
    if (report.empty() || !fs::is_directory(folder))
        return {};
    const std::string name = report.substr(0, report.find(", rank"));
    const std::string main = (fs::path(folder) / name).string();
    const auto drawn = [](const std::string& of) {
        return runHighwater({"figure", of, "--kind", "timeline", "-o", "-", "--quiet"}).out;
    };
    const std::string figure = drawn(folder);
    const std::string description = descriptionFrom(fs::path(name).filename().string(), figure);
    const bool isOfMain = !description.empty()
        && description == descriptionFrom(fs::path(name).filename().string(), drawn(main));
    return isOfMain ? report : figure.substr(0, 100);
}

/// Returns the main file that each command names, by command. Omits commands without a main file for these
/// files.
std::map<std::string, std::string> mainsOf(const std::vector<std::string>& files)
{
    std::map<std::string, std::string> mains;
    for (const char* const command : {"findings", "peaks", "segments", "ranks"})
        mains[command] = mainOf(answerTo({command, "--quiet", "--json"}, files));
    mains["report"] = mainOf(answerTo({"report", "--quiet", "--json", "-o", "-"}, files));
    const std::string folder
        = fs::is_directory(files[0]) ? files[0] : fs::path(files[0]).parent_path().string();
    const json told = toolAnswer("findings", {{"files", files}, {"part", "/run"}}, folder);
    mains["mcp"] = mainOf({{"run", told.is_object() ? told.value("answer", json()) : json()}});
    if (files.size() == 1) {
        const json diff = answerTo({"diff", "--quiet", "--json", files[0], files[0]}, {});
        mains["diff"] = pathOfDiff(diff, mains["report"]);
        mains["figure"] = fileOfFigure(files[0], mains["report"]);
    }
    std::erase_if(mains, [](const auto& main) { return main.second.empty(); });
    return mains;
}

void expectOneMain(const std::vector<std::string>& files)
{
    const std::map<std::string, std::string> mains = mainsOf(files);
    for (const auto& [command, main] : mains)
        EXPECT_EQ(main, mains.begin()->second)
            << command << " and " << mains.begin()->first << " of " << files[0] << " …";
}

constexpr std::ptrdiff_t kMaxFiles = 40;

} // namespace

TEST(OneRun, HasTheSameMainFileInEveryCommand)
{
    const auto ofRanks = mainsOf({samplePath("ranks")});
    EXPECT_EQ(ofRanks.size(), 8u) << "a command names none";
    for (const auto& [command, main] : ofRanks)
        EXPECT_EQ(main, "rank2_snapshot.pickle.zst, rank 2, device 0") << command;
    // Rank 2 failed, rank 0 has the higher peak.
    const auto ofFour = mainsOf({samplePath("runs/four-ranks-one-fails")});
    EXPECT_EQ(ofFour.size(), 8u) << "a command names none";
    for (const auto& [command, main] : ofFour)
        EXPECT_EQ(main, "memory_snapshot_rank2.pickle.zst, rank 2, device 0") << command;
}

TEST(OneRun, OfEverySampleFolderHasOneMainFile)
{
    for (const std::string& folder : test::foldersBelow(samplePath(""), kMaxFiles))
        expectOneMain({folder});
}

TEST(OneRun, OfEveryPairOfSampleRanksHasOneMainFile)
{
    const std::vector<std::string> ranks = test::sampleNames("ranks");
    for (std::size_t i = 0; i < ranks.size(); ++i)
        for (std::size_t k = i + 1; k < ranks.size(); ++k)
            expectOneMain({samplePath(ranks[i]), samplePath(ranks[k])});
}

TEST(OneRun, OfEveryFolderOfRealFilesHasOneMainFile)
{
    const std::optional<std::string> root = realFilePath("");
    SKIP_WITHOUT_REAL_FILE(root);
    for (const std::string& folder : test::foldersBelow(*root, kMaxFiles))
        expectOneMain({folder});
}

TEST(OneRun, TellsWhichFilesOfAFolderAreOfAnotherRun)
{
    struct Case
    {
        const char* folder;
        const char* main;
        std::size_t ranks;
        std::vector<std::string> others; ///< sorted
        const char* why;
    };
    const std::vector<Case> cases{
        {"four-ranks-one-fails", "memory_snapshot_rank2.pickle.zst", 4, {}, ""},
        {"two-ranks-oom", "mem_snapshot_r1.pickle.zst", 2, {}, ""},
        {"series-one-process", "oom.pickle.zst", 1, {}, ""},
        {"two-runs-two-ranks", "bs32_rank1.pickle.zst", 2, {"bs8_rank0.pickle.zst", "bs8_rank1.pickle.zst"},
            "clocks"},
        {"stale-ranks", "rank0.pickle.zst", 2, {"rank2.pickle.zst", "rank3.pickle.zst"}, "clocks"},
        {"unrelated-pair", "snapshot_1.pickle.zst", 1, {"out_1.txt", "snapshot_2.pickle.zst"}, "code"},
        {"before-after", "before.pickle.zst", 1, {"after.pickle.zst"}, "clocks"},
    };
    for (const Case& one : cases) {
        const json run = answerTo(
            {"findings", "--quiet", "--json"}, {samplePath(std::string("runs/") + one.folder)})["run"];
        EXPECT_EQ(nameOf(run["main"]["path"]), one.main) << one.folder;
        EXPECT_EQ(run["ranks"], one.ranks) << one.folder;
        std::vector<std::string> others;
        for (const json& other : run["others"]) {
            EXPECT_EQ(other["why"], one.why) << one.folder;
            for (const json& file : other["files"])
                if (!nameOf(file).ends_with(".log")) // logs may have recognized figures or not
                    others.push_back(nameOf(file));
        }
        std::ranges::sort(others);
        EXPECT_EQ(others, one.others) << one.folder;
    }
}

TEST(OneRun, OfARecordingAndItsLogIsShownByTheRecording)
{
    const std::string snapshot = samplePath("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst");
    for (const auto& [command, main] : mainsOf({samplePath("logs/r5-flan-t5-xl.log"), snapshot}))
        EXPECT_TRUE(main.starts_with(nameOf(snapshot))) << command << ": " << main;
}

TEST(OneRun, AnotherRankCanBeAskedFor)
{
    for (const char* const command : {"findings", "peaks", "segments"})
        EXPECT_EQ(mainOf(answerTo({command, "--json", "--rank", "3"}, {samplePath("ranks")})),
            "rank3_snapshot.pickle.zst, rank 3, device 0")
            << command;
}

} // namespace highwater
