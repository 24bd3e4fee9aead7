// Tests of the export of events, allocations, curve, steps and stacks.
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/program/program_commands.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::kStepsSample;
using test::kTinySample;
using test::runHighwater;
using test::samplePath;
using test::Words;

namespace {

test::ProgramRun exported(
    const std::string& path, const std::string& what, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"export", path, "--what", what, "-o", "-"});
    return runHighwater(options);
}

json tableOf(const std::string& path, const std::string& what, std::vector<std::string> options = {})
{
    options.push_back("--json");
    const auto run = exported(path, what, std::move(options));
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return parseJson(run.out);
}

json deviceInfoOf(const std::string& path)
{
    return parseJson(runHighwater({"info", path, "--json"}).out)["files"][0]["devices"][0];
}

/// Sums the allocations that are live directly after the event.
std::int64_t liveBytesAfter(const json& allocations, std::int64_t event)
{
    std::int64_t sum = 0;
    for (const json& row : allocations)
        if (row["alloc_event"] <= event && (row["free_event"].is_null() || row["free_event"] > event))
            sum += row["requested_bytes"].get<std::int64_t>();
    return sum;
}

void expectSumsOf(const std::string& path)
{
    const json info = deviceInfoOf(path);
    const json allocations = tableOf(path, "allocations", {"--no-stacks"})["allocations"];
    const json curve = tableOf(path, "curve")["curve"];
    const std::int64_t peakEvent = info["peak_event"].get<std::int64_t>();
    EXPECT_EQ(liveBytesAfter(allocations, peakEvent), info["peak_bytes"]);
    EXPECT_EQ(liveBytesAfter(allocations, -1), info["initial_bytes"]);
    EXPECT_EQ(liveBytesAfter(allocations, info["events"].get<std::int64_t>() - 1), info["final_bytes"]);
    ASSERT_EQ(curve.size(), info["events"].get<std::size_t>() + 1);
    EXPECT_EQ(curve[static_cast<std::size_t>(peakEvent + 1)]["requested_bytes"], info["peak_bytes"]);
    EXPECT_EQ(curve.back()["reserved_bytes"], info["reserved_final_bytes"]);
    EXPECT_EQ(tableOf(path, "stacks")["bytes"], info["peak_bytes"]);
}

} // namespace

TEST(ExportTables, LeaveOutWhatTheFileDoesNotTell)
{
    const std::string path = samplePath("memory-timeline/tiny-rows.raw.json");
    EXPECT_TRUE(tableOf(path, "curve")["curve"][0]["reserved_bytes"].is_null());
    EXPECT_TRUE(tableOf(path, "allocations")["allocations"][0]["address"].is_null());
    EXPECT_TRUE(tableOf(path, "events")["events"][0]["address"].is_null());
}

TEST(ExportTables, AddUpToTheFiguresOfInfo)
{
    for (const char* sample : {kTinySample, kStepsSample, "pytorch-snapshot/expandable-segments.pickle.zst"})
        expectSumsOf(samplePath(sample));
}

TEST(ExportTables, AddUpToTheFiguresOfARealRun)
{
    const auto path = test::realFilePath("snapshots/transformer-fullstep.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    expectSumsOf(*path);
}

TEST(ExportEvents, HasEveryEventInOrder)
{
    const json document = tableOf(samplePath(kTinySample), "events");
    EXPECT_EQ(document["device"], 0);
    EXPECT_EQ(document["quantity"], "requested");
    const json& events = document["events"];
    ASSERT_EQ(events.size(), 22u);
    for (std::size_t i = 0; i < events.size(); ++i)
        EXPECT_EQ(events[i]["event"], i);
    EXPECT_EQ(deviceInfoOf(samplePath(kTinySample))["events"], 22);
}

TEST(ExportEvents, WritesCsvWithUnitsInItsNames)
{
    const std::string csv = exported(samplePath(kTinySample), "events").out;
    EXPECT_EQ(csv.substr(0, csv.find('\r')),
        "event,action,address,size_bytes,device_free_bytes,requested_total_bytes,reserved_total_bytes,"
        "time_us,stream,pool,step,phase,stack");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 23);
}

TEST(ExportAllocations, TakesAFilter)
{
    const json all = tableOf(samplePath(kStepsSample), "allocations", {"--no-stacks"})["allocations"];
    const json large = tableOf(
        samplePath(kStepsSample), "allocations", {"--no-stacks", "--filter", "size>=1MiB"})["allocations"];
    std::size_t expected = 0;
    for (const json& row : all)
        expected += row["requested_bytes"] >= 1'048'576;
    EXPECT_EQ(large.size(), expected);
    EXPECT_GT(large.size(), 0u);
    EXPECT_LT(large.size(), all.size());
}

TEST(ExportSteps, HasTheStepsOfPeaksWithCategoriesThatAddUp)
{
    const json steps = tableOf(samplePath(kStepsSample), "steps")["steps"];
    ASSERT_EQ(steps.size(), 6u);
    for (const json& step : steps) {
        std::int64_t sum = 0;
        for (const auto& [key, value] : step.items())
            if (key.starts_with("peak_") && key.ends_with("_bytes") && key != "peak_bytes")
                sum += value.get<std::int64_t>();
        EXPECT_EQ(step["peak_bytes"], sum);
        EXPECT_EQ(step["retained_bytes"],
            step["end_bytes"].get<std::int64_t>() - step["start_bytes"].get<std::int64_t>());
    }
    EXPECT_EQ(steps[0]["begin_event"], 0);
    EXPECT_EQ(steps[5]["end_event"], deviceInfoOf(samplePath(kStepsSample))["events"]);
}

TEST(ExportStacks, AreLinesWithBytesThatAddUp)
{
    const std::string folded = exported(samplePath(kTinySample), "stacks").out;
    std::int64_t sum = 0;
    std::istringstream lines(folded);
    for (std::string line; std::getline(lines, line);)
        sum += std::stoll(line.substr(line.rfind(' ') + 1));
    EXPECT_EQ(sum, 23'069'672);
}

TEST(ExportStacks, ShowAnyMoment)
{
    const json document = tableOf(samplePath(kTinySample), "stacks", {"--at", "15"});
    EXPECT_EQ(document["event"], 15);
    EXPECT_EQ(document["bytes"], 12'583'912);
}

TEST(ExportTables, TakeTheFormFromTheName)
{
    const test::TemporaryFolder folder;
    const std::string csv = (folder.path() / "x.csv").string();
    const std::string json_ = (folder.path() / "x.json").string();
    const std::string file = samplePath(kTinySample);
    EXPECT_EQ(runHighwater({"export", file, "--what", "curve", "-o", csv}).exitCode, 0);
    EXPECT_TRUE(test::readWholeFile(csv).starts_with("event,time_us,requested_bytes,reserved_bytes\r\n-1,"));
    EXPECT_EQ(runHighwater({"export", file, "--what", "curve", "-o", json_}).exitCode, 0);
    EXPECT_EQ(parseJson(test::readWholeFile(json_))["curve"].size(), 23u);
    EXPECT_EQ(runHighwater({"export", file, "--what", "curve", "-o", csv}).exitCode, 2);
    EXPECT_EQ(runHighwater({"export", file, "--what", "curve", "-o", csv, "--force"}).exitCode, 0);
}

class WrongTableExport : public testing::TestWithParam<std::vector<std::string>>
{
};

TEST_P(WrongTableExport, ExitsWithTwoAndWritesNothing)
{
    const test::TemporaryFolder folder;
    std::vector<std::string> arguments = {"export", samplePath(kTinySample)};
    arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
    arguments.back() = (folder.path() / arguments.back()).string();
    const auto run = runHighwater(arguments);
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(run.err.starts_with("highwater: ")) << run.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

INSTANTIATE_TEST_SUITE_P(Arguments, WrongTableExport,
    testing::Values(Words{"--what", "events", "-o", "x.txt"}, Words{"--what", "stacks", "-o", "x.svg"},
        Words{"--what", "columns", "-o", "x.csv"}, Words{"--what", "events", "--filter", "a", "-o", "x.csv"},
        Words{"--what", "allocations", "--filter", "/(/", "-o", "x.csv"},
        Words{"--what", "allocations", "--filter", "size>=lots", "-o", "x.csv"},
        Words{"--what", "stacks", "--at", "22", "-o", "x.txt"},
        Words{"--what", "curve", "--at", "2", "-o", "x.csv"},
        Words{"--what", "curve", "--range", "2:5", "-o", "x.csv"}));

TEST(ExportAllocations, TakeTheUsersRules)
{
    const std::string rules = testing::TempDir() + "export-rules.json";
    std::ofstream(rules) << R"([{"category": "input", "min_bytes": 1}])";
    const json table = tableOf(samplePath(kStepsSample), "allocations", {"--rules", rules});
    ASSERT_FALSE(table["allocations"].empty());
    for (const json& row : table["allocations"])
        EXPECT_EQ(row["category"], "input");
}

TEST(ExportAllocations, RefuseRulesThatAreNone)
{
    const std::string rules = testing::TempDir() + "no-rules.json";
    std::ofstream(rules) << R"([{"category": "nothing"}])";
    const auto run = exported(samplePath(kStepsSample), "allocations", {"--rules", rules});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("nothing"), std::string::npos) << run.err;
}

} // namespace highwater
