// Tests of diff for three or more files: one row per run.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;

namespace {

const std::string kR1 = "pytorch-snapshot/r1-grpo-before.pickle.zst";
const std::string kR5Before = "pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst";
const std::string kR5After = "pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst";

std::vector<std::string> sweep(std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"diff", samplePath(kR5After), samplePath(kR1), samplePath(kR5Before)});
    return options;
}

} // namespace

TEST(Sweep, HasARowForEachRun)
{
    const auto run = runHighwater(sweep({"--json"}));
    EXPECT_EQ(run.exitCode, 0) << run.err;
    const json document = parseJson(run.out);
    ASSERT_EQ(document["runs"].size(), 3u);
    EXPECT_EQ(document["quantity"], "requested");
    const json& last = document["runs"][2];
    EXPECT_EQ(last["name"], "r5-flan-t5-xl-before.pickle.zst");
    EXPECT_EQ(last["peak_bytes"], 32826093568);
    EXPECT_EQ(last["delta_bytes"], 32826093568 - 25411850240);
    EXPECT_EQ(last["peak_event"], 6123);
    std::int64_t sum = 0;
    for (const auto& [category, bytes] : last["categories"].items())
        sum += bytes.get<std::int64_t>();
    EXPECT_EQ(sum, 32826093568);
    const json segments = {{"name", "expandable_segments"}, {"values", {"true", "true", "false"}}};
    EXPECT_NE(std::find(document["settings"].begin(), document["settings"].end(), segments),
        document["settings"].end());
}

TEST(Sweep, IsSortedAsAskedFor)
{
    const json document = parseJson(runHighwater(sweep({"--json", "--sort", "peak"})).out);
    EXPECT_EQ(document["runs"][0]["name"], "r5-flan-t5-xl-before.pickle.zst");
    EXPECT_EQ(document["runs"][2]["name"], "r1-grpo-before.pickle.zst");
    EXPECT_EQ(document["settings"][0]["values"].size(), 3u);
    EXPECT_EQ(runHighwater(sweep({"--sort", "colour"})).exitCode, 2);
}

TEST(Sweep, PrintsARowWithACurveForPeople)
{
    const auto run = runHighwater(sweep());
    EXPECT_TRUE(run.out.starts_with("3 runs, requested bytes\n")) << run.out;
    EXPECT_NE(run.out.find("+6.91 GiB"), std::string::npos);
    EXPECT_NE(run.out.find("█"), std::string::npos);
    EXPECT_NE(run.out.find("Out of memory"), std::string::npos);
}

TEST(Sweep, KeepsTheOthersWhereOneFileCannotBeRead)
{
    const auto run = runHighwater(sweep({"missing.pickle", "--json"}));
    EXPECT_EQ(run.exitCode, 3);
    const json document = parseJson(run.out);
    ASSERT_EQ(document["runs"].size(), 4u);
    EXPECT_TRUE(document["runs"][3].contains("error"));
}

TEST(Sweep, CountsAllocatedBytesBesideFilesThatTellNothingElse)
{
    const auto run = runHighwater(sweep({samplePath("kineto/tiny-addresses.pt.trace.json"), "--json"}));
    EXPECT_EQ(run.exitCode, 0) << run.err;
    const json document = parseJson(run.out);
    EXPECT_EQ(document["quantity"], "allocated");
    EXPECT_EQ(document["inferred"], true);
    EXPECT_GT(document["runs"][0]["peak_bytes"], 25411850240);
    EXPECT_EQ(document["runs"][3]["inferred"], false);
}

TEST(Sweep, RefusesWhatIsMeantForTwoRuns)
{
    EXPECT_EQ(runHighwater(sweep({"--at-before", "3"})).exitCode, 2);
    EXPECT_EQ(runHighwater(sweep({"--step-before", "0"})).exitCode, 2);
}

} // namespace highwater
