// Tests of diff for two logs, which have series and messages but no device.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::kGrpoSample;
using test::runHighwater;
using test::samplePath;

namespace {

std::string logPath(const std::string& name)
{
    return samplePath("logs/" + name);
}

std::vector<std::string> r4(std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"diff", logPath("r4-verl-before.err"), logPath("r4-verl-after.err")});
    return options;
}

} // namespace

TEST(DiffOfLogs, SaysFirstWhatCameOfItThenWhetherThePeakMovedAndByWhichSeries)
{
    const auto run = runHighwater(r4());
    EXPECT_EQ(run.exitCode, 0) << run.err;
    const std::size_t second = run.out.find('\n') + 1;
    EXPECT_TRUE(
        test::hasParts(run.out.substr(0, second), {"44.87 GiB at step 6", "after step 4", "17.66 GiB"}));
    EXPECT_TRUE(test::hasParts(run.out.substr(second, run.out.find('\n', second) - second),
        {"24.61 GiB (35%), from 69.48 GiB at step 4 to 44.87 GiB at step 6",
            "perf/max_memory_allocated_gb"}));
    EXPECT_TRUE(test::hasParts(
        run.out, {"ppo_micro_batch_size_per_gpu", "The earlier run ran out of memory, line 7"}));
}

TEST(DiffOfLogs, HasTheKeysOfADiffAndTheSeries)
{
    const json document = parseJson(runHighwater(r4({"--json"})).out);
    EXPECT_EQ(document["before"]["peak_bytes"], 74604655673);
    EXPECT_EQ(document["after"]["peak_bytes"], 48178795643);
    EXPECT_EQ(document["delta_bytes"], 48178795643 - 74604655673);
    EXPECT_EQ(document["quantity"], "allocated");
    EXPECT_TRUE(document["before"]["peak_event"].is_null());
    EXPECT_TRUE(document["rows"].empty() && document["rows"].is_array());
    EXPECT_TRUE(document["steps"].empty() && document["steps"].is_array());
    ASSERT_EQ(document["series"].size(), 3u);
    EXPECT_EQ(document["series"][0]["metric"], "allocated_peak");
    EXPECT_EQ(document["series"][0]["after_largest_step"], 6);
    for (const json& series : document["series"])
        for (const std::string name : {"first", "last", "largest"})
            EXPECT_EQ(series["delta_" + name + "_bytes"].get<std::int64_t>(),
                series["after_" + name + "_bytes"].get<std::int64_t>()
                    - series["before_" + name + "_bytes"].get<std::int64_t>());
    EXPECT_EQ(document["settings"].size(), 5u);
    EXPECT_EQ(document["ooms"]["before"][0]["requested_bytes"], 18962280612);
    EXPECT_TRUE(document["ooms"]["after"].empty());
}

TEST(DiffOfLogs, OfALogWithItselfIsZero)
{
    const json document = parseJson(
        runHighwater({"diff", logPath("r4-verl-after.err"), logPath("r4-verl-after.err"), "--json"}).out);
    EXPECT_EQ(document["delta_bytes"], 0);
    EXPECT_TRUE(document["settings"].empty());
    for (const json& series : document["series"])
        EXPECT_EQ(series["delta_largest_bytes"], 0);
}

TEST(DiffOfLogs, WorksWhereTheyHaveNoSeriesInCommon)
{
    const auto run
        = runHighwater({"diff", logPath("r4-verl-slurm.err"), logPath("r4-verl-after.err"), "--json"});
    EXPECT_EQ(run.exitCode, 0);
    const json document = parseJson(run.out);
    EXPECT_TRUE(document["delta_bytes"].is_null());
    EXPECT_TRUE(document["before"]["peak_bytes"].is_null());
    EXPECT_TRUE(document["series"].empty());
}

TEST(DiffOfLogs, TakesSettingsFromConfigurations)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "highwater-diff-logs";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "before.yaml") << "batch: 8\n";
    std::ofstream(folder / "after.yaml") << "batch: 4\n";
    const json document = parseJson(runHighwater(
        {"diff", logPath("r4-verl-slurm.err"), logPath("r4-verl-slurm.err"), "--config-before",
            (folder / "before.yaml").string(), "--config-after", (folder / "after.yaml").string(), "--json"})
                                        .out);
    EXPECT_EQ(document["settings"], parseJson(R"([{"name": "batch", "before": "8", "after": "4"}])"));
    std::filesystem::remove_all(folder);
}

TEST(DiffOfLogs, RefusesALogAgainstASnapshot)
{
    const auto run = runHighwater({"diff", samplePath(kGrpoSample), logPath("r4-verl-after.err")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(run.out.empty());
    EXPECT_TRUE(test::hasParts(run.err, {"cannot be compared", "44.87 GiB"}));
    EXPECT_EQ(runHighwater({"diff", logPath("r4-verl-slurm.err"), samplePath(kGrpoSample)}).exitCode, 2);
}

TEST(DiffOfLogs, RefusesTextInWhichNothingWasFound)
{
    const auto run = runHighwater({"diff", samplePath("../LICENSE"), logPath("r4-verl-after.err")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.err.find("tells allocations"), std::string::npos) << run.err;
}

TEST(DiffOfLogs, RefusesToChooseEventsStepsOrDevices)
{
    EXPECT_EQ(runHighwater(r4({"--at-before", "3"})).exitCode, 2);
    EXPECT_EQ(runHighwater(r4({"--step-before", "0"})).exitCode, 2);
    EXPECT_EQ(runHighwater(r4({"--step-after", "0"})).exitCode, 2);
    EXPECT_EQ(runHighwater(r4({"--device-after", "0"})).exitCode, 2);
}

TEST(DiffOfLogs, IsDrawnAsAFigure)
{
    const std::filesystem::path out = std::filesystem::temp_directory_path() / "highwater-diff-logs.svg";
    const auto draw = [&](const std::string& kind, const std::string& before) {
        return runHighwater({"figure", logPath(before), logPath("r4-verl-after.err"), "--kind", kind, "-o",
            out.string(), "--force"});
    };
    EXPECT_EQ(draw("diff", "r4-verl-before.err").exitCode, 0);
    EXPECT_GT(std::filesystem::file_size(out), 1000u);
    EXPECT_EQ(draw("waterfall", "r4-verl-before.err").exitCode, 2);
    EXPECT_EQ(draw("diff", "r4-verl-slurm.err").exitCode, 2);
    std::filesystem::remove(out);
}

} // namespace highwater
