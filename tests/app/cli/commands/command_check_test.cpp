#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::kStepsSample;
using test::kTinySample;
using test::runHighwater;
using test::samplePath;

namespace {

const char* const kGrowing = "pytorch-snapshot/r1-grpo-before.pickle.zst";

test::ProgramRun check(const std::string& sample, std::vector<std::string> options)
{
    options.insert(options.begin(), {"check", samplePath(sample)});
    return runHighwater(options);
}

} // namespace

TEST(Check, PassesAtTheLimitAndFailsBelowIt)
{
    const auto at = check(kTinySample, {"--max-peak", "23069672"});
    EXPECT_EQ(at.exitCode, 0);
    EXPECT_TRUE(at.out.starts_with("ok "));
    const auto below = check(kTinySample, {"--max-peak", "23069671"});
    EXPECT_EQ(below.exitCode, 1);
    EXPECT_TRUE(below.out.starts_with("FAIL "));
    EXPECT_NE(below.out.find("23,069,672 B"), std::string::npos);
}

TEST(Check, PrintsALineForEachLimit)
{
    const auto run = check(kTinySample, {"--max-peak", "1GiB", "--max-reserved", "1KiB"});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 3) << "and the diagnosis";
    EXPECT_NE(run.out.find("reserved"), std::string::npos);
}

TEST(Check, NamesAFailureBehindALeak)
{
    EXPECT_NE(
        check(kGrowing, {"--max-peak", "1TiB"}).out.find("Memory ran out in step 14"), std::string::npos);
}

TEST(Check, GivesJson)
{
    const auto run = check(kTinySample, {"--max-peak", "16MiB", "--json"});
    EXPECT_EQ(run.exitCode, 1);
    const json document = parseJson(run.out);
    EXPECT_EQ(document["ok"], false);
    const json& file = document["files"][0];
    EXPECT_EQ(file["complete"], true);
    const json& result = file["devices"][0]["checks"][0];
    EXPECT_EQ(result["limit"], "max-peak");
    EXPECT_EQ(result["limit_bytes"], 16'777'216);
    EXPECT_EQ(result["observed_bytes"], 23'069'672);
    EXPECT_EQ(result["event"], 10);
    EXPECT_EQ(result["ok"], false);
}

TEST(Check, CountsTheWorstOfSeveralFiles)
{
    const auto run = runHighwater({"check", samplePath(kTinySample), samplePath("broken/truncated.pickle"),
        samplePath("broken/empty.pickle"), "--max-peak", "1KiB", "--json"});
    EXPECT_EQ(run.exitCode, 3);
    const json files = parseJson(run.out)["files"];
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[0]["ok"], false);
    EXPECT_EQ(files[1]["complete"], false);
    EXPECT_TRUE(files[2].contains("error"));
}

TEST(Check, LooksAtEveryDeviceOnRequest)
{
    const char* const two = "pytorch-snapshot/two-devices.pickle.zst";
    EXPECT_EQ(parseJson(check(two, {"--max-peak", "1TiB", "--json"}).out)["files"][0]["devices"].size(), 1u);
    const json devices = parseJson(
        check(two, {"--max-peak", "1TiB", "--json", "--device", "all"}).out)["files"][0]["devices"];
    ASSERT_EQ(devices.size(), 2u);
    EXPECT_EQ(devices[0]["device"], 0);
    EXPECT_EQ(devices[1]["device"], 1);
}

TEST(Check, TellsGrowthFromARunThatHasNone)
{
    EXPECT_EQ(check(kGrowing, {"--max-growth-per-step", "512MiB"}).exitCode, 1);
    EXPECT_EQ(check(kStepsSample, {"--max-growth-per-step", "1MiB"}).exitCode, 0);
}

TEST(Check, HoldsPeaksAgainstAnotherRun)
{
    const char* const before = "pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst";
    const char* const after = "pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst";
    const auto worse
        = check(before, {"--baseline", samplePath(after), "--max-peak-increase", "5%", "--json"});
    EXPECT_EQ(worse.exitCode, 1);
    const json result = parseJson(worse.out)["files"][0]["devices"][0]["checks"][0];
    EXPECT_EQ(result["observed_bytes"], 32'826'093'568);
    EXPECT_EQ(result["limit_bytes"], 26'682'442'752) << "5% above 25,411,850,240";
    EXPECT_EQ(check(after, {"--baseline", samplePath(before), "--max-peak-increase", "0"}).exitCode, 0);
    EXPECT_EQ(check(after, {"--baseline", "missing.pickle", "--max-peak-increase", "0"}).exitCode, 3);
}

TEST(Check, DoesNotPassGrowthThatCannotBeJudged)
{
    const auto run = check("encodings/tiny-segments-only.pickle", {"--max-growth-per-step", "1TiB"});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_NE(run.out.find("cannot be judged"), std::string::npos);
}

class WrongCheck : public testing::TestWithParam<std::vector<std::string>>
{
};

TEST_P(WrongCheck, ExitsWithTwo)
{
    const auto run = check(kTinySample, GetParam());
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(run.err.starts_with("highwater: ")) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Arguments, WrongCheck,
    testing::Values(std::vector<std::string>{}, std::vector<std::string>{"--max-peak", "much"},
        std::vector<std::string>{"--max-peak", "-1"}, std::vector<std::string>{"--max-peak"},
        std::vector<std::string>{"--max-peak", "1GiB", "--device", "7"},
        std::vector<std::string>{"--baseline", "x"}, std::vector<std::string>{"--max-peak-increase", "5%"},
        std::vector<std::string>{"--baseline", "x", "--max-peak-increase", "-5%"}));

} // namespace highwater
