// diff: what changed between two runs.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;

namespace {

const char* const kBefore = "pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst";
const char* const kAfter = "pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst";

json diffOf(const std::string& before, const std::string& after, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"diff", samplePath(before), samplePath(after), "--json"});
    const auto run = runHighwater(options);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return json::parse(run.out);
}

} // namespace

TEST(Diff, HasTheKeysOfTheContract)
{
    const json document = diffOf(kBefore, kAfter);
    for (const char* key : {"before", "after", "delta_bytes", "rows", "steps", "settings"})
        EXPECT_TRUE(document.contains(key)) << key;
    for (const char* key :
        {"key", "before_bytes", "before_count", "after_bytes", "after_count", "delta_bytes", "status"})
        EXPECT_TRUE(document["rows"][0].contains(key)) << key;
    for (const char* key : {"path", "peak_bytes", "peak_event", "quantity"})
        EXPECT_TRUE(document["before"].contains(key)) << key;
}

TEST(Diff, ShowsTheDuplicateModelAsWhatIsGone)
{
    const json document = diffOf(kBefore, kAfter, {"--group", "site"});
    std::int64_t gone = 0;
    std::int64_t rest = 0;
    for (const json& row : document["rows"])
        (row["status"] == "gone" ? gone : rest) += std::abs(row["delta_bytes"].get<std::int64_t>());
    EXPECT_EQ(document["rows"][0]["status"], "gone");
    EXPECT_GT(gone, rest);
}

TEST(Diff, ComparesAnyTwoMoments)
{
    const json document = diffOf(kBefore, kBefore, {"--at-before", "-1", "--at-after", "-1"});
    EXPECT_EQ(document["delta_bytes"], 0);
    EXPECT_EQ(document["before"]["event"], -1);
}

TEST(Diff, PrintsTheDifferenceForPeople)
{
    const auto run
        = runHighwater({"diff", samplePath(kBefore), samplePath(kAfter), "--group", "site", "--top", "3"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_NE(run.out.find("before "), std::string::npos);
    EXPECT_NE(run.out.find("more)"), std::string::npos);
}

TEST(Diff, ListsTheSettingsThatConfigurationsDifferIn)
{
    const test::TemporaryFolder folder;
    const std::string before
        = folder.write("before.yaml", "train_batch_size: 1024\nactor:\n  param_offload: false\nseed: 1\n");
    const std::string after = folder.write(
        "after.json", R"({"train_batch_size": 512, "actor": {"param_offload": true}, "seed": 1})");
    const json settings
        = diffOf(kBefore, kAfter, {"--config-before", before, "--config-after", after})["settings"];
    const json batch = {{"name", "train_batch_size"}, {"before", "1024"}, {"after", "512"}};
    const json offload = {{"name", "actor.param_offload"}, {"before", "false"}, {"after", "true"}};
    EXPECT_NE(std::find(settings.begin(), settings.end(), batch), settings.end()) << settings;
    EXPECT_NE(std::find(settings.begin(), settings.end(), offload), settings.end()) << settings;
    for (const json& setting : settings)
        EXPECT_NE(setting["name"], "seed");
}

TEST(Diff, TakesTwoFiles)
{
    EXPECT_EQ(runHighwater({"diff", samplePath(kBefore)}).exitCode, 2);
}

TEST(Diff, RefusesWhatCannotBeSetAgainstEachOther)
{
    const auto run = runHighwater({"diff", samplePath(kBefore), samplePath("nsys/training-3.7.2.sqlite")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("cannot be set against each other"), std::string::npos) << run.err;
}

TEST(Diff, FailsWithAFileThatCannotBeRead)
{
    EXPECT_EQ(runHighwater({"diff", samplePath(kBefore), "missing.pickle"}).exitCode, 3);
}

TEST(Diff, RefusesAMomentThatIsNotThere)
{
    EXPECT_EQ(
        runHighwater({"diff", samplePath(kBefore), samplePath(kAfter), "--at-after", "999999999"}).exitCode,
        2);
}

} // namespace highwater
