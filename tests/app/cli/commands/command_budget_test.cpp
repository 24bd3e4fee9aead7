// Tests of budget: the memory that a run needs, and the memory that it used.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::kGrpoSample;
using test::runHighwater;
using test::samplePath;

namespace {

std::string runPath(const std::string& name)
{
    return samplePath("budget/" + name + ".yaml");
}

json budgetOf(const std::string& run, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"budget", "--config", runPath(run), "--json"});
    const auto done = runHighwater(options);
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_EQ(done.err, "");
    return parseJson(done.out);
}

json lineOf(const json& document, const std::string& name)
{
    for (const json& line : document["lines"])
        if (line["name"] == name)
            return line;
    return {};
}

} // namespace

TEST(BudgetCommand, HasTheKeysOfTheManual)
{
    const json document = budgetOf("r1-grpo");
    for (const char* key :
        {"lines", "expected_bytes", "observed_bytes", "ratio", "unexplained_bytes", "fits"})
        EXPECT_TRUE(document.contains(key)) << key;
    for (const char* key : {"name", "formula", "low_bytes", "bytes", "high_bytes", "observed_bytes"})
        EXPECT_TRUE(document["lines"][0].contains(key)) << key;
    for (const char* key : {"gpu", "capacity_bytes", "fits", "headroom_bytes"})
        EXPECT_TRUE(document["fits"][0].contains(key)) << key;
    for (const char* key : {"observed_bytes", "ratio", "unexplained_bytes", "what_if"})
        EXPECT_TRUE(document[key].is_null()) << key;
}

TEST(BudgetCommand, SumsItsLines)
{
    for (const char* run : {"r1-grpo", "r1-as-counted", "r3-vocabulary", "r5-flan-t5-xl"}) {
        const json document = budgetOf(run);
        std::int64_t sum = 0;
        for (const json& line : document["lines"])
            sum += line["bytes"].get<std::int64_t>();
        EXPECT_EQ(document["expected_bytes"], sum) << run;
    }
    EXPECT_EQ(budgetOf("r1-as-counted")["expected_bytes"], 637'674'720);
}

TEST(BudgetCommand, ComparesAFileWithGpusWithoutAConfiguration)
{
    const auto done = runHighwater({"budget", samplePath(kGrpoSample), "--gpu", "L4", "T4"});
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_NE(done.out.find("At least 23.37 GiB: 22.62 GiB in use + 48 MiB requested"), std::string::npos)
        << done.out;
    for (const char* absent : {"Expected", "estimate", "Estimate", "not in the budget", "configuration"})
        EXPECT_EQ(done.out.find(absent), std::string::npos) << absent << '\n' << done.out;
}

TEST(BudgetCommand, HasNoConfigurationAndNoEstimateInJsonWithoutOne)
{
    const auto done = runHighwater({"budget", samplePath(kGrpoSample), "--gpu", "L4", "--json"});
    const json document = parseJson(done.out);
    EXPECT_TRUE(document["config"].is_null());
    EXPECT_TRUE(document["lines"].empty());
    EXPECT_EQ(document["observed_bytes"], 24'287'511'136);
    EXPECT_EQ(document["fits"][0]["fits"], false);
    EXPECT_TRUE(document["fits"][0]["estimate_headroom_bytes"].is_null());
}

TEST(BudgetCommand, SetsTheFileBesideTheLines)
{
    const json document = budgetOf("r1-grpo", {samplePath(kGrpoSample)});
    std::int64_t sum = document["unexplained_bytes"];
    for (const json& line : document["lines"])
        if (!line["observed_bytes"].is_null())
            sum += line["observed_bytes"].get<std::int64_t>();
    EXPECT_EQ(document["observed_bytes"], sum);
    EXPECT_EQ(document["observed_bytes"], 24'287'511'136);
    EXPECT_NEAR(
        document["ratio"].get<double>(), 24'287'511'136.0 / document["expected_bytes"].get<double>(), 1e-9);
    EXPECT_EQ(lineOf(document, "optimizer_state")["observed_bytes"], 497'759'232);
}

TEST(BudgetCommand, TakesTheParametersFromTheFileWhereNothingElseTells)
{
    const test::TemporaryFolder folder;
    const std::string run = folder.write("run.json", R"({"dtype": "bf16", "optimizer": "adamw"})");
    const auto done = runHighwater({"budget", "--config", run, samplePath(kGrpoSample), "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const json document = parseJson(done.out);
    EXPECT_EQ(document["parameters"], 124'439'808);
    EXPECT_EQ(lineOf(document, "parameters")["bytes"], 248'879'616);
}

TEST(BudgetCommand, AsksForCards)
{
    const json fits = budgetOf("r5-flan-t5-xl")["fits"];
    ASSERT_EQ(fits.size(), 1u);
    EXPECT_EQ(fits[0]["gpu"], "RTX 5090");
    EXPECT_EQ(fits[0]["fits"], false);
    EXPECT_EQ(fits[0]["headroom_bytes"].get<std::int64_t>(),
        fits[0]["capacity_bytes"].get<std::int64_t>() - 34'000'000'000);
    EXPECT_EQ(budgetOf("r5-flan-t5-xl", {"--gpu", "A100", "T4"})["fits"].size(), 3u);
    const auto beside = budgetOf("r1-grpo", {"--gpu", "L4", samplePath(kGrpoSample)});
    EXPECT_EQ(beside["fits"].size(), 1u) << "the last name is a file";
    EXPECT_FALSE(beside["observed"].is_null());
    EXPECT_EQ(beside["fits"][0]["fits"], false) << "by what was observed";
    EXPECT_EQ(runHighwater({"budget", "--config", runPath("r1-grpo"), "--gpu", "Z9"}).exitCode, 2);
}

TEST(BudgetCommand, JudgesNoCardsByNothing)
{
    const test::TemporaryFolder folder;
    const auto done
        = runHighwater({"budget", "--config", folder.write("run.yaml", "seed: ~\nbatch: 8\n"), "--json"});
    EXPECT_EQ(done.exitCode, 3) << "seed is no key, whatever its value";
    const auto empty = runHighwater({"budget", "--config", folder.write("run.yaml", "batch: 8\n"), "--json"});
    ASSERT_EQ(empty.exitCode, 0) << empty.err;
    const json document = parseJson(empty.out);
    EXPECT_TRUE(document["lines"].empty());
    EXPECT_TRUE(document["fits"].empty());
    EXPECT_FALSE(document["left_out"].empty());
}

TEST(BudgetCommand, SaysThatCardsAreJudgedWithoutWhatIsLeftOut)
{
    EXPECT_NE(budgetOf("r3-vocabulary")["sentences"].dump().find("the GPUs do not include activations"),
        std::string::npos);
    EXPECT_EQ(budgetOf("r1-grpo")["sentences"].dump().find("the GPUs do not include"), std::string::npos);
}

TEST(BudgetCommand, VariesSettings)
{
    const json grid
        = budgetOf("r3-vocabulary", {"--what-if", "batch=256,128", "--what-if", "seq_len=256"})["what_if"];
    ASSERT_EQ(grid["cases"].size(), 2u);
    EXPECT_EQ(grid["effective_batch"], 512);
    EXPECT_EQ(grid["cases"][0]["settings"]["batch"], "256");
    EXPECT_EQ(grid["cases"][0]["accumulation"], 2);
    EXPECT_EQ(grid["cases"][0]["lines"]["logits"], 256ll * 256 * 50257 * 4);
    EXPECT_FALSE(grid["cases"][0]["fits"].empty());
    EXPECT_EQ(
        runHighwater({"budget", "--config", runPath("r1-grpo"), "--what-if", "batch=none"}).exitCode, 2);
}

TEST(BudgetCommand, CalibratesByTheFile)
{
    const json document = budgetOf("r1-grpo", {samplePath(kGrpoSample), "--what-if", "batch=8"});
    const json one = document["what_if"]["cases"][0];
    const auto left = document["observed"]["from_earlier_steps_bytes"].get<std::int64_t>();
    EXPECT_GT(left, 0) << "what no step needs is not scaled";
    EXPECT_EQ(one["lines"]["activations"].get<std::int64_t>(),
        lineOf(document, "activations")["observed_bytes"].get<std::int64_t>() - left);
    EXPECT_EQ(one["delta_bytes"], 0);
}

TEST(BudgetCommand, PrintsForPeople)
{
    const auto done = runHighwater(
        {"budget", "--config", runPath("r5-flan-t5-xl"), "--what-if", "optimizer=adamw,adamw-8bit"});
    EXPECT_EQ(done.exitCode, 0) << done.err;
    for (const char* words : {"optimizer state", "3,000,000,000 × 2 × 2", "does not fit RTX 5090",
             "Not counted", "The run with other settings", "adamw-8bit would need 6 GB", "34,000,000,000 B"})
        EXPECT_NE(done.out.find(words), std::string::npos) << words;
}

TEST(BudgetCommand, RefusesAConfigurationThatIsWrongInOneLine)
{
    const test::TemporaryFolder folder;
    for (const char* text : {"bacth: 8", "layers: 1e30", "batch: [", "",
             "parameters: 1e15\ndtype: fp32\n"
             "batch: 1e9\nseq_len: 1e9\nvocab: 1e8\n"}) {
        const auto done = runHighwater({"budget", "--config", folder.write("run.yaml", text), "--json"});
        EXPECT_EQ(done.exitCode, 3) << text;
        EXPECT_EQ(done.out, "");
        EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    }
    EXPECT_EQ(runHighwater({"budget", "--config", "missing.yaml"}).exitCode, 3);
    EXPECT_EQ(runHighwater({"budget"}).exitCode, 2);
}

TEST(BudgetCommand, RefusesAFileWithoutDevices)
{
    const auto done = runHighwater({"budget", "--config", runPath("r1-grpo"), samplePath("logs/forms.txt")});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
}

} // namespace highwater
