#include <algorithm>

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

json findingsOf(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "findings");
    arguments.push_back("--json");
    return parseJson(runHighwater(arguments).out)["findings"];
}

json ruleOf(const json& findings, const std::string& rule)
{
    for (const json& finding : findings)
        if (finding["rule"] == rule)
            return finding;
    return nullptr;
}

} // namespace

TEST(FindingsCommand, GivesTheKeysOfTheManual)
{
    const json finding
        = ruleOf(findingsOf({samplePath("pytorch-snapshot/fault-growth.pickle.zst")}), "growth");
    ASSERT_TRUE(finding.is_object());
    EXPECT_EQ(finding["grade"], "A");
    EXPECT_EQ(finding["device"], 0);
    EXPECT_EQ(finding["bytes"], 18'350'080);
    EXPECT_EQ(finding["saved_bytes"], 18'350'080);
    EXPECT_TRUE(finding["event"].is_number_integer());
    EXPECT_EQ(finding["step"], 7);
    EXPECT_TRUE(finding["evidence"][0].is_string());
    EXPECT_EQ(finding["evidence"].size(), finding["evidence_links"].size());
    EXPECT_TRUE(finding["remedy"].is_string());
    EXPECT_TRUE(finding["would_disprove"].is_string());
    EXPECT_EQ(finding["kind"], "fault");
}

TEST(FindingsCommand, RanksFaultsBeforeFactsAndNamesWhatExplainsAFinding)
{
    const std::string path = samplePath("rehearsed/gpt-graph-list.pickle.zst");
    const json findings = findingsOf({path});
    const json graph = ruleOf(findings, "retained-graph");
    EXPECT_EQ(graph["rank"], 1);
    EXPECT_TRUE(graph["merged_into"].is_null());
    EXPECT_EQ(ruleOf(findings, "unused-graph")["merged_into"], "retained-graph");
    EXPECT_EQ(findings[0]["grade"], "A") << "the array is by grade";
    EXPECT_GT(findings[0]["rank"], graph["rank"]);
    const std::string text = runHighwater({"findings", path}).out;
    EXPECT_LT(text.find("[retained-graph"), text.find("Facts\n"));
    EXPECT_GT(text.find("[peak-summary]"), text.find("Facts\n"));
}

TEST(FindingsCommand, NamesLogitsInFullWithAConfiguration)
{
    const test::TemporaryFolder folder;
    const std::string config = folder.write("run.json", R"({"vocab": 50257, "batch": 8, "seq_len": 174})");
    const json finding
        = ruleOf(findingsOf({samplePath("pytorch-snapshot/fault-logits.pickle.zst"), "--config", config}),
            "oversized-logits");
    ASSERT_TRUE(finding.is_object());
    EXPECT_EQ(finding["grade"], "A");
    EXPECT_EQ(finding["bytes"], 979'408'416);
    EXPECT_TRUE(test::hasParts(
        finding["title"].get<std::string>(), {"4", "91%", "fp32 logits, B=8, T=174", "50,257"}));
}

TEST(FindingsCommand, TellsWhenTheCardOfTheConfigurationIsFull)
{
    const test::TemporaryFolder folder;
    const std::string config = folder.write("run.json", R"({"gpu": "128MiB"})");
    const json finding = ruleOf(
        findingsOf({samplePath("pytorch-snapshot/fault-growth.pickle.zst"), "--config", config}), "growth");
    ASSERT_TRUE(finding.is_object());
    const std::string evidence = finding["evidence"].dump();
    // 128 MiB − 95.73 MiB at the last step's peak, 2.5 MiB per step.
    EXPECT_NE(evidence.find("is full 13 steps after step 7"), std::string::npos) << evidence;
}

TEST(FindingsCommand, NamesTheRankThatStandsOut)
{
    const json finding = ruleOf(findingsOf({samplePath("ranks")}), "rank-outlier");
    ASSERT_TRUE(finding.is_object());
    EXPECT_EQ(finding["bytes"], 137'363'460);
    EXPECT_EQ(finding["device"], 0);
    EXPECT_NE(finding["path"].get<std::string>().find("rank2"), std::string::npos);
    EXPECT_TRUE(
        ruleOf(findingsOf({samplePath("ranks/rank2_snapshot.pickle.zst")}), "rank-outlier").is_null());
}

TEST(FindingsCommand, ReadsALogAlone)
{
    const json findings = findingsOf({samplePath("logs/r4-verl-slurm.err")});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0]["rule"], "not-on-device");
    EXPECT_EQ(findings[0]["evidence_links"][0]["line"], 1);
}

TEST(FindingsCommand, GivesTheCauseOfAFailureBelowItsFigures)
{
    const std::string out = runHighwater({"findings", samplePath("logs/r4-verl-before.err")}).out;
    EXPECT_TRUE(test::hasParts(out, {"  - Line 7: ", "  - PyTorch counts at least 26.56 GiB"})) << out;
}

TEST(FindingsCommand, SaysWhatALogSaysOnceForAllFiles)
{
    const json findings = findingsOf({samplePath("ranks/rank0_snapshot.pickle.zst"),
        samplePath("ranks/rank1_snapshot.pickle.zst"), samplePath("logs/r4-verl-slurm.err")});
    std::size_t count = 0;
    for (const json& finding : findings)
        count += finding["rule"] == "not-on-device" ? 1 : 0;
    EXPECT_EQ(count, 1u);
}

TEST(FindingsCommand, PrintsTheOtherFilesWhereOneCannotBeRead)
{
    const auto run = runHighwater(
        {"findings", samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst"), "/nowhere", "--json"});
    EXPECT_EQ(run.exitCode, 3);
    const json document = parseJson(run.out);
    EXPECT_FALSE(document["findings"].empty());
    EXPECT_TRUE(document["files"][1].contains("error"));
}

TEST(FindingsCommand, RefusesAConfigurationThatIsNone)
{
    const test::TemporaryFolder folder;
    const auto run = runHighwater({"findings", samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst"),
        "--config", folder.write("run.json", "{\"a\": ")});
    EXPECT_EQ(run.exitCode, 2);
}

TEST(FindingsCommand, SaysFirstWhatIsWrongAsTheReportDoes)
{
    const auto run = runHighwater({"findings", samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst")});
    const std::string first = run.out.substr(0, run.out.find('\n'));
    EXPECT_NE(first.find(", and PyTorch's cache is fragmented: "), std::string::npos) << first;
    const auto report = runHighwater(
        {"report", samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst"), "--json", "-o", "-"});
    const std::string verdict = parseJson(report.out)["verdict"];
    EXPECT_TRUE(first.starts_with(verdict)) << verdict;
}

TEST(FindingsCommand, LeadsWithTheRankThatRanOutOfMemoryFirst)
{
    const auto run = runHighwater({"findings", samplePath("ranks")});
    EXPECT_TRUE(run.out.starts_with("Of 4 ranks, only rank 2")) << run.out.substr(0, 200);
    EXPECT_NE(run.out.find("rank 2 (of 4 ranks)"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("112 MiB requested"), std::string::npos) << run.out;
}

TEST(FindingsCommand, CountsTheRanksThatRanOutOfMemory)
{
    const auto run = runHighwater({"findings", samplePath("runs/stale-ranks")});
    EXPECT_TRUE(run.out.starts_with("2 of 2 ranks ran out of memory; rank 0: 250 MiB requested"))
        << run.out.substr(0, 200);
}

TEST(FindingsCommand, SaysOnceWhatAllRanksHave)
{
    const std::string out = runHighwater({"findings", samplePath("ranks"), "--brief"}).out;
    const std::size_t first = out.find("[optimizer-state-first-step]  on all 4 ranks");
    ASSERT_NE(first, std::string::npos) << out;
    EXPECT_EQ(out.find("[optimizer-state-first-step]", first + 1), std::string::npos) << out;
    EXPECT_NE(out.find("as do all 3 steps  [peak-phase]  on ranks 0, 1, 3"), std::string::npos)
        << out << ": in rank 2, forward peaks as high";
    const json finding = ruleOf(findingsOf({samplePath("ranks")}), "optimizer-state-first-step");
    EXPECT_EQ(finding["ranks"].size(), 4u);
}

TEST(FindingsCommand, SaysWhoseFiguresATitleHas)
{
    const std::string out = runHighwater({"findings", samplePath("runs/two-ranks-oom"), "--brief"}).out;
    EXPECT_TRUE(test::hasParts(out,
        {"mem_snapshot_r1.pickle.zst: the peak is 847.53 MiB, in step 1  [peak-summary]  also in "
         "mem_snapshot_r0.pickle.zst (527.62 MiB)",
            "[optimizer-state-first-step]  in both files"}))
        << out;
}

TEST(FindingsCommand, TellsAFailureOnceIfALogKnowsItsCause)
{
    for (const char* const folder : {"two-ranks-oom", "series-one-process", "stale-ranks"}) {
        const json found = findingsOf({samplePath(std::string("runs/") + folder)});
        const auto isCap = [](const json& finding) { return finding["rule"] == "process-cap"; };
        EXPECT_EQ(std::ranges::count_if(found, isCap), 1) << folder;
    }
}

TEST(FindingsCommand, AnswersForTheRankThatIsNamed)
{
    const json document
        = parseJson(runHighwater({"findings", samplePath("ranks"), "--rank", "1", "--json"}).out);
    EXPECT_EQ(document["run"]["main"]["rank"], 1);
    EXPECT_EQ(document["run"]["main"]["why"], "chosen");
    const auto none = runHighwater({"findings", samplePath("ranks"), "--rank", "9"});
    EXPECT_EQ(none.exitCode, 2);
    EXPECT_TRUE(test::hasParts(none.err, {"rank 9", "0, 1, 2, 3"}));
}

TEST(FindingsCommand, PrintsSentencesForPeople)
{
    const auto run = runHighwater(
        {"findings", samplePath("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst"), "--verbose"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_TRUE(test::hasParts(run.out,
        {"3 copies of the model", "10.62 GiB (558 tensors and 5.31 GiB each)",
            "move_to_device (train.py:44)"}));
}

TEST(FindingsCommand, SaysWhatVerboseAdds)
{
    const std::string path = samplePath("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst");
    const char* const hint = "all evidence, and what would make a finding wrong\n";
    EXPECT_TRUE(runHighwater({"findings", path}).out.ends_with(hint));
    EXPECT_EQ(runHighwater({"findings", path, "--verbose"}).out.find(hint), std::string::npos);
}

} // namespace highwater
