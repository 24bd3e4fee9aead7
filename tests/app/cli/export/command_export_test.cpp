// Tests of convert and export, which write files.
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::kTinySample;
using test::runHighwater;
using test::samplePath;

namespace {

json columnsOf(const std::string& sample, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"export", samplePath(sample), "--what", "columns", "-o", "-"});
    const auto run = runHighwater(options);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return parseJson(run.out)["columns"];
}

} // namespace

TEST(Convert, GivesAFileWithTheSameAnswers)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "x.hwt").string();
    for (const char* sample : {"pytorch-snapshot/two-devices.pickle.zst", "encodings/tiny.json"}) {
        ASSERT_EQ(runHighwater({"convert", samplePath(sample), "-o", out, "--force"}).exitCode, 0);
        const json original = parseJson(runHighwater({"info", samplePath(sample), "--json"}).out)["files"][0];
        const json converted = parseJson(runHighwater({"info", out, "--json"}).out)["files"][0];
        EXPECT_EQ(converted["devices"], original["devices"]);
        EXPECT_EQ(converted["spans"], original["spans"]);
        EXPECT_EQ(converted["import_log"], original["import_log"]);
        EXPECT_EQ(converted["format"], "highwater");
    }
}

TEST(Convert, ReplacesAFileOnlyWhenForced)
{
    const test::TemporaryFolder folder;
    const std::string out = folder.write("x.hwt", "mine");
    const auto run = runHighwater({"convert", samplePath(kTinySample), "-o", out});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(test::readWholeFile(out), "mine");
    EXPECT_EQ(runHighwater({"convert", samplePath(kTinySample), "-o", out, "--force"}).exitCode, 0);
    EXPECT_NE(test::readWholeFile(out), "mine");
}

TEST(Convert, LeavesNothingBehindForAFileThatCannotBeRead)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(
        runHighwater({"convert", samplePath("broken/empty.pickle"), "-o", (folder.path() / "x.hwt").string()})
            .exitCode,
        3);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Convert, ReplacesNoOutputByThatOfAnotherFileOfTheSameName)
{
    const test::TemporaryFolder folder;
    std::vector<std::string> arguments = {"convert", "--force", "-o", (folder.path() / "out").string()};
    for (const char* run : {"a", "b"}) {
        std::filesystem::create_directory(folder.path() / run);
        arguments.push_back((folder.path() / run / "rank0.pickle").string());
        std::filesystem::copy_file(samplePath(kTinySample), arguments.back());
    }
    const auto run = runHighwater(arguments);
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("b/rank0.pickle: would replace the output of an earlier file"), std::string::npos)
        << run.err;
}

TEST(ExportColumns, StackBandsWithoutGapsUpToTheTotal)
{
    for (const char* mode : {"allocations", "site", "size", "stream", "pool"}) {
        const json columns = columnsOf(
            "pytorch-snapshot/training-6-steps-annotated.pickle.zst", {"--width", "30", "--mode", mode});
        ASSERT_EQ(columns.size(), 30u);
        for (const json& column : columns) {
            std::int64_t offset = 0;
            for (const json& band : column["bands"]) {
                ASSERT_EQ(band["offset_bytes"].get<std::int64_t>(), offset) << mode;
                offset += band["bytes"].get<std::int64_t>();
            }
            ASSERT_EQ(column["bytes"].get<std::int64_t>(), offset) << mode;
        }
    }
}

TEST(ExportColumns, ShowTheFirstEventWithTheLargestTotal)
{
    const json columns = columnsOf(kTinySample, {"--width", "1"});
    EXPECT_EQ(columns[0]["event"], 10);
    EXPECT_EQ(columns[0]["bytes"], 23'069'672);
}

TEST(ExportColumns, TakeARange)
{
    const json columns = columnsOf(kTinySample, {"--range", "11:21", "--width", "10"});
    ASSERT_EQ(columns.size(), 10u);
    EXPECT_EQ(columns[4]["event"], 15);
    EXPECT_EQ(columns[4]["bytes"], 12'583'912);
}

TEST(ExportColumns, GiveOlderAllocationsTheirAddress)
{
    const json columns
        = columnsOf("pytorch-snapshot/user-annotated-phases.pickle.zst", {"--range", "0:1", "--width", "1"});
    const json& lowest = columns[0]["bands"][0];
    EXPECT_EQ(lowest["alloc_event"], -1);
    EXPECT_TRUE(lowest.contains("address"));
}

TEST(ExportColumns, GiveTheLowestAndTheMedianPeakOfStepsInGroups)
{
    const json columns = columnsOf(test::kStepsSample, {"--width", "10"});
    EXPECT_EQ(columns[0]["lowest_bytes"], 361'027'588);
    EXPECT_EQ(columns[0]["median_bytes"], 403'605'508);
    EXPECT_FALSE(columnsOf(test::kStepsSample, {"--width", "100"})[0].contains("lowest_bytes"));
}

class WrongExport : public testing::TestWithParam<std::vector<std::string>>
{
};

TEST_P(WrongExport, ExitsWithTwo)
{
    std::vector<std::string> arguments = {"export", samplePath(kTinySample), "-o", "-"};
    arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
    EXPECT_EQ(runHighwater(arguments).exitCode, 2);
}

INSTANTIATE_TEST_SUITE_P(Arguments, WrongExport,
    testing::Values(std::vector<std::string>{}, std::vector<std::string>{"--what", "dreams"},
        std::vector<std::string>{"--what", "columns", "--range", "5"},
        std::vector<std::string>{"--what", "columns", "--range", "5:5"},
        std::vector<std::string>{"--what", "columns", "--range", "0:23"},
        std::vector<std::string>{"--what", "columns", "--range", "-2:5"},
        std::vector<std::string>{"--what", "columns", "--width", "0"},
        std::vector<std::string>{"--what", "columns", "--mode", "colour"}));

} // namespace highwater
