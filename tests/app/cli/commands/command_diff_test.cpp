// Tests of diff: the changes between two runs.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;

namespace {

const char* const kFlanBefore = "pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst";
const char* const kFlanAfter = "pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst";

json diffOf(const std::string& before, const std::string& after, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"diff", samplePath(before), samplePath(after), "--json"});
    const auto run = runHighwater(options);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return parseJson(run.out);
}

} // namespace

TEST(Diff, HasTheKeysOfTheManual)
{
    const json document = diffOf(kFlanBefore, kFlanAfter);
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
    const json document = diffOf(kFlanBefore, kFlanAfter, {"--group", "site"});
    std::int64_t gone = 0;
    std::int64_t rest = 0;
    for (const json& row : document["rows"])
        (row["status"] == "gone" ? gone : rest) += std::abs(row["delta_bytes"].get<std::int64_t>());
    EXPECT_EQ(document["rows"][0]["status"], "gone");
    EXPECT_GT(gone, rest);
}

TEST(Diff, PrintsHowToCompareEqualStepsWhereThePeaksAreOfUnequalOnes)
{
    const auto run = runHighwater({"diff", samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"),
        samplePath("pytorch-snapshot/r1-grpo-after.pickle.zst")});
    EXPECT_TRUE(test::hasParts(
        run.out, {"To compare step 13 with step 13, add --step-before 13 --step-after 13.\n"}));
}

TEST(Diff, ComparesAnyTwoMoments)
{
    const json document = diffOf(kFlanBefore, kFlanBefore, {"--at-before", "-1", "--at-after", "-1"});
    EXPECT_EQ(document["delta_bytes"], 0);
    EXPECT_EQ(document["before"]["event"], -1);
}

TEST(Diff, ComparesTheMomentBesideTheOneGiven)
{
    const json byEvent = diffOf(kFlanBefore, kFlanAfter, {"--at-before", "1234", "--align", "event"});
    EXPECT_EQ(byEvent["before"]["event"], 1234);
    EXPECT_EQ(byEvent["after"]["event"], 1234);
    // The first run's peak is in its second step, which corresponds to the second step of the other run.
    const json byStep = diffOf(kFlanBefore, kFlanAfter, {"--at-before", "6123", "--align", "step"});
    const std::int64_t beside = byStep["after"]["event"];
    EXPECT_GE(beside, 4720);
    EXPECT_NE(beside, byStep["after"]["peak_event"]);
    EXPECT_EQ(diffOf(kFlanBefore, kFlanAfter, {"--at-before", "1234"})["after"]["event"],
        byStep["after"]["peak_event"]);
}

TEST(Diff, ComparesAStepWithAStep)
{
    const json document = diffOf(kFlanBefore, kFlanAfter, {"--step-before", "1", "--step-after", "2"});
    const auto peakOf = [&](std::size_t pair, const char* side) { return document["steps"][pair][side]; };
    EXPECT_EQ(document["before"]["bytes"], peakOf(1, "before_peak_bytes"));
    EXPECT_EQ(document["after"]["bytes"], peakOf(2, "after_peak_bytes"));
    const auto wrong
        = runHighwater({"diff", samplePath(kFlanBefore), samplePath(kFlanAfter), "--step-before", "9"});
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_NE(wrong.err.find("has no step 9"), std::string::npos);
}

TEST(Diff, PrintsTheDifferenceForPeople)
{
    const auto run = runHighwater(
        {"diff", samplePath(kFlanBefore), samplePath(kFlanAfter), "--group", "site", "--top", "3"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_NE(run.out.find("before "), std::string::npos);
    EXPECT_NE(run.out.find("13 others"), std::string::npos) << run.out;
}

TEST(Diff, PrintsARowForEachCallSiteOnceWithoutCounts)
{
    const auto run = runHighwater({"diff", samplePath(kFlanBefore), samplePath(kFlanAfter)});
    EXPECT_NE(run.out.find("Call site"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("Count"), std::string::npos) << run.out;
}

TEST(Diff, BeginsWithTheVerdict)
{
    const auto r1 = runHighwater({"diff", samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"),
        samplePath("pytorch-snapshot/r1-grpo-after.pickle.zst"), "--group", "site"});
    EXPECT_TRUE(test::hasParts(r1.out.substr(0, r1.out.find('\n')),
        {"Not fixed: ", "0.96 GiB per step (1.07 GiB before)", "step 20 at 22.65 GiB",
            "step 14 at 22.62 GiB"}));
    EXPECT_TRUE(test::hasParts(r1.out, {"In step 13, the last that both runs completed", "5.83 GiB less"}));
    EXPECT_FALSE(test::hasParts(r1.out, {"barely moved"}));
    const auto r5
        = runHighwater({"diff", samplePath(kFlanBefore), samplePath(kFlanAfter), "--group", "site"});
    EXPECT_TRUE(test::hasParts(r5.out.substr(0, r5.out.find('\n')),
        {"two of three copies of the model (10.62 GiB)", "23.67 GiB", "step 1 at 30.57 GiB"}));
    EXPECT_TRUE(test::hasParts(r5.out,
        {"6.905 GiB (23%)", "5.31 GiB (gone) at move_to_device (train.py:44)",
            "5.31 GiB (gone) at to() (modeling_utils.py:3110)"}));
}

TEST(Diff, MarksTheRowsOfTheModelsCopiesThatAreGone)
{
    const json document = diffOf(kFlanBefore, kFlanAfter, {"--group", "site"});
    std::vector<std::int64_t> deltas;
    for (const json& row : document["rows"])
        if (row.value("copy_of_model", false))
            deltas.push_back(row["delta_bytes"]);
    EXPECT_EQ(deltas.size(), 2u);
    for (const std::int64_t delta : deltas)
        EXPECT_LT(delta, -(std::int64_t{5} << 30));
}

TEST(Diff, TellsTheVerdictAndTheCausesAsJson)
{
    const json document = diffOf(kFlanBefore, kFlanAfter);
    EXPECT_TRUE(
        test::hasParts(document["verdict"]["headline"].get<std::string>(), {"10.62 GiB", "23.67 GiB"}));
    EXPECT_TRUE(document["verdict"]["details"].is_array());
    EXPECT_EQ(document["causes"]["cause"], "none");
    EXPECT_EQ(document["causes"]["changed_bytes"], 0);
}

TEST(Diff, SaysOfOtherMomentsThatTheyAreNoPeaks)
{
    const json document = diffOf(kFlanBefore, kFlanAfter, {"--at-before", "100", "--at-after", "100"});
    EXPECT_TRUE(test::hasParts(document["verdict"]["headline"].get<std::string>(),
        {"event 100 of the later run", "event 100 of the earlier run"}));
}

TEST(Diff, SaysOfWhichRowsSomeBytesWereInUseAtAnotherMoment)
{
    const json document
        = diffOf("pytorch-snapshot/r1-grpo-before.pickle.zst", "pytorch-snapshot/r1-grpo-after.pickle.zst");
    EXPECT_TRUE(test::hasParts(document["verdict"]["details"].dump(),
        {"Rows marked (timing) make up +144 MiB: the earlier run used as much there, but not at its "
         "peak."}));
}

TEST(Diff, NamesTwoStepsOfOneFile)
{
    const std::string file = samplePath(kFlanBefore);
    const auto run = runHighwater({"diff", file, file, "--step-before", "0", "--step-after", "1"});
    const std::string headline = run.out.substr(0, run.out.find('\n'));
    EXPECT_TRUE(test::hasParts(headline, {"tep 0", "tep 1"}));
    EXPECT_FALSE(headline.find("later run") != std::string::npos) << headline;
}

TEST(Diff, TellsTheFactorsOfRowsThatChangedTheirSize)
{
    const auto before = test::realFilePath("snapshots/gpt-medium-ctx256-training.pickle");
    const auto after = test::realFilePath("snapshots/gpt-medium-ctx1024-training.pickle");
    SKIP_WITHOUT_REAL_FILE(before && after);
    const auto run = runHighwater({"diff", *before, *after, "--json"});
    const json document = parseJson(run.out);
    EXPECT_EQ(document["causes"]["cause"], "both");
    EXPECT_EQ(document["causes"]["dimension"], 4.0);
    EXPECT_EQ(document["causes"]["precision"], 0.5);
    EXPECT_EQ(document["rows"][0]["factors"]["text"], "4²");
    EXPECT_EQ(document["rows"][1]["in_place_of"][0]["factors"]["text"], "4²·½");
    const auto people = runHighwater({"diff", *before, *after});
    EXPECT_NE(people.out.find("×16 = 4²"), std::string::npos);
    EXPECT_NE(people.out.find("×½: elements have half the bytes"), std::string::npos);
}

TEST(Diff, ListsTheSettingsThatConfigurationsDifferIn)
{
    const test::TemporaryFolder folder;
    const std::string before
        = folder.write("before.yaml", "train_batch_size: 1024\nactor:\n  param_offload: false\nseed: 1\n");
    const std::string after = folder.write(
        "after.json", R"({"train_batch_size": 512, "actor": {"param_offload": true}, "seed": 1})");
    const json settings
        = diffOf(kFlanBefore, kFlanAfter, {"--config-before", before, "--config-after", after})["settings"];
    const json batch = {{"name", "train_batch_size"}, {"before", "1024"}, {"after", "512"}};
    const json offload = {{"name", "actor.param_offload"}, {"before", "false"}, {"after", "true"}};
    EXPECT_NE(std::find(settings.begin(), settings.end(), batch), settings.end()) << settings;
    EXPECT_NE(std::find(settings.begin(), settings.end(), offload), settings.end()) << settings;
    for (const json& setting : settings)
        EXPECT_NE(setting["name"], "seed");
}

TEST(Diff, TakesTwoFiles)
{
    EXPECT_EQ(runHighwater({"diff", samplePath(kFlanBefore)}).exitCode, 2);
}

TEST(Diff, RefusesWhatCannotBeCompared)
{
    const auto run
        = runHighwater({"diff", samplePath(kFlanBefore), samplePath("nsys/training-3.7.2.sqlite")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("cannot be compared"), std::string::npos) << run.err;
}

TEST(Diff, FailsWithAFileThatCannotBeRead)
{
    EXPECT_EQ(runHighwater({"diff", samplePath(kFlanBefore), "missing.pickle"}).exitCode, 3);
}

TEST(Diff, RefusesAMomentThatIsNotThere)
{
    EXPECT_EQ(
        runHighwater({"diff", samplePath(kFlanBefore), samplePath(kFlanAfter), "--at-after", "999999999"})
            .exitCode,
        2);
}

} // namespace highwater
