#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "app/loading/files/workspace_store.h"
#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;
using test::snapshotPath;

namespace {

json reportOf(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "report");
    arguments.insert(arguments.end(), {"-o", "-", "--json"});
    const auto run = runHighwater(arguments);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return parseJson(run.out);
}

json ofCommand(std::vector<std::string> arguments)
{
    arguments.push_back("--json");
    return parseJson(runHighwater(arguments).out);
}

json blockOf(const json& report, const std::string& id)
{
    for (const json& section : report["sections"])
        for (const json& block : section["blocks"])
            if (block.contains("id") && block["id"] == id)
                return block;
    return nullptr;
}

json blocksOf(const json& report, const std::string& type)
{
    json found = json::array();
    for (const json& section : report["sections"])
        for (const json& block : section["blocks"])
            if (block["type"] == type)
                found.push_back(block);
    return found;
}

std::vector<std::string> pairOf(const std::string& name)
{
    return {snapshotPath(name + "-after"), "--before", snapshotPath(name + "-before")};
}

const char* const kNotes = R"([
    {"title": "the peak", "text": "look **here**", "run": "before", "at": {"event": 13340}},
    {"title": "nowhere", "at": {"event": 99999999}},
    {"title": "<script>alert(1)</script>", "at": {"range": [10, 400]}}])";

} // namespace

TEST(ReportCommand, HasTheFiguresOfPeaks)
{
    const json report = reportOf({snapshotPath("r1-grpo-before")});
    const json peaks = ofCommand({"peaks", snapshotPath("r1-grpo-before"), "--group", "site", "--top", "0"});
    const json table = blockOf(report, "peak-sites");
    EXPECT_EQ(table["total"]["bytes"], peaks["live"]["bytes"]);
    EXPECT_EQ(table["total"]["count"], peaks["live"]["blocks"]);
    for (std::size_t i = 0; i + 1 < table["rows"].size(); ++i) {
        EXPECT_EQ(table["rows"][i]["key"], peaks["live"]["groups"][i]["key"]);
        EXPECT_EQ(table["rows"][i]["bytes"], peaks["live"]["groups"][i]["bytes"]);
        EXPECT_EQ(table["rows"][i]["count"], peaks["live"]["groups"][i]["count"]);
    }
    const json steps = blockOf(report, "steps")["rows"];
    ASSERT_EQ(steps.size(), peaks["steps"].size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        for (const char* key : {"peak_bytes", "peak_event", "start_bytes", "end_bytes"})
            EXPECT_EQ(steps[i][key], peaks["steps"][i][key]);
}

TEST(ReportCommand, HasTheFindingsOfFindings)
{
    const std::vector<std::string> arguments
        = {snapshotPath("r1-grpo-before"), "--config", samplePath("budget/r1-grpo.yaml")};
    std::vector<std::string> command = arguments;
    command.insert(command.begin(), "findings");
    std::vector<std::string> told;
    for (const json& block : blocksOf(reportOf(arguments), "finding"))
        told.push_back(block["finding"]["title"]);
    std::vector<std::string> found;
    const json answer = ofCommand(command);
    for (const json& finding : answer["findings"])
        found.push_back(finding["title"]);
    std::ranges::sort(told);
    std::ranges::sort(found);
    EXPECT_EQ(told, found);
}

TEST(ReportCommand, FindsRanksThatStandOut)
{
    const json report = reportOf({samplePath("ranks")});
    std::vector<std::string> rules;
    for (const json& block : blocksOf(report, "finding"))
        rules.push_back(block["finding"]["rule"]);
    EXPECT_NE(std::ranges::find(rules, "rank-outlier"), rules.end());
    const json ranks = blockOf(report, "run-ranks")["rows"];
    ASSERT_EQ(ranks.size(), 4u);
    EXPECT_EQ(ranks[0]["peak_bytes"], 540'968'968) << "it ran out of memory";
    EXPECT_EQ(ranks[0]["above_median_bytes"], 137'363'460);
}

TEST(ReportCommand, HasTheRowsOfDiff)
{
    for (const std::string name : {"r1-grpo", "r5-flan-t5-xl"}) {
        const json report = reportOf(pairOf(name));
        const json diff = ofCommand(
            {"diff", snapshotPath(name + "-before"), snapshotPath(name + "-after"), "--group", "site"});
        EXPECT_EQ(report["verdict"], diff["verdict"]["headline"]);
        const json table = blockOf(report, "change-sites");
        EXPECT_EQ(table["total"]["before_bytes"], diff["before"]["peak_bytes"]);
        EXPECT_EQ(table["total"]["after_bytes"], diff["after"]["peak_bytes"]);
        EXPECT_EQ(table["total"]["delta_bytes"], diff["delta_bytes"]);
        ASSERT_GT(table["rows"].size(), 2u);
        // The last row may be the sum of all others. `at()` throws for a missing key; two missing keys would
        // otherwise compare equal.
        for (std::size_t i = 0; i + 1 < table["rows"].size(); ++i)
            for (const char* key : {"key", "before_bytes", "after_bytes", "delta_bytes", "before_count"})
                EXPECT_EQ(table["rows"].at(i).at(key), diff["rows"].at(i).at(key)) << key;
    }
}

TEST(ReportCommand, HasTheLinesOfBudget)
{
    const std::string config = samplePath("budget/r1-grpo.yaml");
    const json report = reportOf({snapshotPath("r1-grpo-before"), "--config", config});
    const json budget = ofCommand({"budget", "--config", config, snapshotPath("r1-grpo-before")});
    const json table = blockOf(report, "budget");
    EXPECT_EQ(table["total"]["expected_bytes"], budget["expected_bytes"]);
    EXPECT_EQ(table["total"]["observed_bytes"], budget["observed_bytes"]);
    for (std::size_t i = 0; i < budget["lines"].size(); ++i) {
        EXPECT_EQ(table["rows"][i]["expected_bytes"], budget["lines"][i]["bytes"]);
        EXPECT_EQ(table["rows"][i]["observed_bytes"], budget["lines"][i]["observed_bytes"]);
        EXPECT_EQ(table["rows"][i]["formula"], budget["lines"][i]["formula"]);
    }
}

TEST(ReportCommand, SaysOfR1ThatTheFixesMissedTheGrowth)
{
    const std::string text = reportOf(pairOf("r1-grpo")).dump();
    EXPECT_TRUE(test::hasParts(text,
        {"Not fixed: ", "step 20 at 22.65 GiB", "step 14 at 22.62 GiB",
            "Fixed: generation with gradients (4.44 GiB)",
            "Not seen in the later run: unused graph (2.25 GiB)",
            "9.7 GiB of the kept memory comes from policy_log_probs (trainer.py:186), 3.79 GiB from "}));
}

TEST(ReportCommand, SaysOfR4WhichSettingsChangedAndWhatIsNotOnTheGpu)
{
    const std::string text
        = reportOf({samplePath("logs/r4-verl-after.err"), "--before", samplePath("logs/r4-verl-before.err")})
              .dump();
    EXPECT_TRUE(test::hasParts(text,
        {"fell by 24.61 GiB", "param_offload False → True", "100.77 GiB on a 79.18 GiB GPU",
            "peaks at 44.87 GiB"}));
}

TEST(ReportCommand, SaysOfR5ThatTheCopiesAreGone)
{
    const std::string text = reportOf(pairOf("r5-flan-t5-xl")).dump();
    EXPECT_TRUE(test::hasParts(text,
        {"6.905 GiB (23%), from 30.572 GiB to 23.667 GiB", "Fixed: duplicate model.",
            "Still there, though not reported: stale gradients (5.31 GiB). Call optimizer.zero_grad(",
            "PYTORCH_CUDA_ALLOC_CONF not set → expandable_segments:True"}));
}

TEST(ReportCommand, DrawsAFlagForEachNoteThatHasAPlace)
{
    const test::TemporaryFolder folder;
    const std::string notes = folder.write("notes.json", kNotes);
    const std::string out = (folder.path() / "r1.md").string();
    std::vector<std::string> arguments = pairOf("r1-grpo");
    arguments.insert(arguments.begin(), "report");
    arguments.insert(arguments.end(), {"--notes", notes, "--full", "-o", out});
    ASSERT_EQ(runHighwater(arguments).exitCode, 0);
    const std::string before = test::readWholeFile(folder.path() / "r1-figures" / "before-timeline.svg");
    const std::string after = test::readWholeFile(folder.path() / "r1-figures" / "after-timeline.svg");
    EXPECT_TRUE(contains(before, "1  the peak"));
    EXPECT_FALSE(contains(before, "3  "));
    EXPECT_TRUE(contains(after, "3  &lt;script&gt;alert(1)&lt;/script&gt;"));
    EXPECT_FALSE(contains(after, "2  nowhere"));
    const std::string text = test::readWholeFile(out);
    EXPECT_TRUE(contains(text, "not in the file"));
    EXPECT_TRUE(contains(text, "r1-figures/before-timeline.svg"));
    EXPECT_FALSE(contains(text, "<script>"));
}

TEST(ReportCommand, ReplacesNothingWithoutForce)
{
    const test::TemporaryFolder folder;
    const std::string html = folder.write("out.html", "mine");
    const std::string figure = folder.write("out-figures/timeline.svg", "mine");
    EXPECT_EQ(runHighwater({"report", samplePath("encodings/tiny.json"), "-o", html}).exitCode, 2);
    EXPECT_EQ(test::readWholeFile(html), "mine");
    const std::string markdown = (folder.path() / "out.md").string();
    const auto run = runHighwater({"report", samplePath("encodings/tiny.json"), "-o", markdown});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(test::readWholeFile(figure), "mine");
    EXPECT_FALSE(std::filesystem::exists(markdown));
    EXPECT_EQ(
        runHighwater({"report", samplePath("encodings/tiny.json"), "-o", markdown, "--force"}).exitCode, 0);
    EXPECT_TRUE(contains(test::readWholeFile(figure), "<svg"));
}

TEST(ReportCommand, WritesOneHtmlPageThatNeedsNothingElse)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "run.html").string();
    ASSERT_EQ(runHighwater({"report", snapshotPath("r5-flan-t5-xl-before"), "-o", out}).exitCode, 0);
    const std::string html = test::readWholeFile(out);
    EXPECT_TRUE(contains(html, "<svg"));
    EXPECT_FALSE(contains(html, "src=\"http"));
    EXPECT_TRUE(contains(html, "3 copies of the model are in memory"));
}

namespace {

std::string htmlOf(std::vector<std::string> arguments)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "report.html").string();
    arguments.insert(arguments.begin(), "report");
    arguments.insert(arguments.end(), {"-o", out});
    EXPECT_EQ(runHighwater(arguments).exitCode, 0);
    return test::readWholeFile(out);
}

} // namespace

TEST(ReportCommand, HasTheTimelineAsDataUnlessItIsToBeStatic)
{
    const std::string live = htmlOf({snapshotPath("tiny-hand-checked")});
    EXPECT_TRUE(contains(live, "class=\"timeline-data\""));
    EXPECT_TRUE(contains(live, "figure.timeline"));
    const std::string still = htmlOf({snapshotPath("tiny-hand-checked"), "--static"});
    EXPECT_FALSE(contains(still, "timeline-data"));
    EXPECT_FALSE(contains(still, "figure.timeline"));
}

TEST(ReportCommand, HasItsAppendixOnlyWhereItIsAskedFor)
{
    EXPECT_FALSE(contains(htmlOf({snapshotPath("r1-grpo-before")}), "Facts and settings"));
    EXPECT_TRUE(contains(htmlOf({snapshotPath("r1-grpo-before"), "--full"}), "Facts and settings"));
}

TEST(ReportCommand, SaysTheOutcomeAsDiffDoes)
{
    const json diff
        = ofCommand({"diff", snapshotPath("r5-flan-t5-xl-before"), snapshotPath("r5-flan-t5-xl-after")});
    EXPECT_EQ(reportOf(pairOf("r5-flan-t5-xl"))["verdict"], diff["verdict"]["headline"]);
}

TEST(ReportCommand, FillsFieldsFromNotesAndLeavesTheOthersBlank)
{
    const test::TemporaryFolder folder;
    const std::string notes
        = folder.write("notes.json", R"([{"title": "owner", "text": "the training team"}])");
    const json report = reportOf({snapshotPath("tiny-hand-checked"), "--notes", notes});
    for (const json& facts : blocksOf(report, "facts"))
        if (facts["style"] == "fields") {
            EXPECT_EQ(facts["rows"][3]["value"], "the training team");
            EXPECT_TRUE(facts["rows"][0]["value"].is_null());
            return;
        }
    FAIL() << "there are no fields";
}

TEST(ReportCommand, HasTheSectionsThatAreAskedFor)
{
    const json report
        = reportOf({samplePath("encodings/tiny.json"), "--sections", "provenance,peak", "--title", "Mine"});
    ASSERT_EQ(report["sections"].size(), 2u);
    EXPECT_EQ(report["sections"][0]["part"], "provenance");
    EXPECT_EQ(report["sections"][1]["part"], "peak");
    EXPECT_EQ(report["title"], "Mine");
    const auto first = runHighwater(
        {"report", "--sections", "peak", samplePath("encodings/tiny.json"), "-o", "-", "--json"});
    EXPECT_EQ(first.exitCode, 0) << "the file behind it is no section: " << first.err;
    EXPECT_EQ(runHighwater(
                  {"report", samplePath("encodings/tiny.json"), "--sections", "jokes", "-o", "-", "--json"})
                  .exitCode,
        2);
}

TEST(ReportCommand, LeavesFoldersOutWithStripPaths)
{
    const std::string text = reportOf({snapshotPath("r1-grpo-before"), "--strip-paths"}).dump();
    EXPECT_FALSE(contains(text, "/workspace/"));
    EXPECT_FALSE(contains(text, samplePath("")));
    EXPECT_TRUE(contains(text, "model.py:39"));
}

TEST(ReportCommand, SaysWhatIsWrongWithItsUse)
{
    EXPECT_EQ(runHighwater({"report", "-o", "x.html"}).exitCode, 2);
    EXPECT_EQ(runHighwater({"report", samplePath("encodings/tiny.json"), "-o", "x.pdf"}).exitCode, 2);
    EXPECT_EQ(runHighwater({"report", samplePath("encodings/tiny.json"), "-o", "-"}).exitCode, 2);
    EXPECT_EQ(
        runHighwater({"report", samplePath("encodings/tiny.json"), "--device", "5", "-o", "-", "--json"})
            .exitCode,
        2);
    const auto mixed = runHighwater({"report", samplePath("encodings/tiny.json"), "--before",
        samplePath("logs/r4-verl-before.err"), "-o", "-", "--json"});
    EXPECT_EQ(mixed.exitCode, 2);
    EXPECT_TRUE(contains(mixed.err, "r4-verl-before.err"));
    EXPECT_EQ(runHighwater({"report", "--before", "a", "b", "c", "-o", "x.html"}).exitCode, 2);
}

TEST(ReportCommand, TakesTheSecondOfTwoFilesAfterBeforeAsTheLaterRun)
{
    const auto run = runHighwater({"report", "--before", snapshotPath("r5-flan-t5-xl-before"),
        snapshotPath("r5-flan-t5-xl-after"), "-o", "-", "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "r5-flan-t5-xl-before → r5-flan-t5-xl-after"));
}

TEST(ReportCommand, IsWrittenThoughAFileBesideTheRunCannotBeRead)
{
    const auto run = runHighwater(
        {"report", samplePath("encodings/tiny.json"), samplePath("nothing.log"), "-o", "-", "--json"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(contains(run.out, "not read: "));
    EXPECT_TRUE(contains(run.err, "nothing.log"));
}

TEST(ReportCommand, SaysThatAFileEndsEarly)
{
    const auto run = runHighwater({"report", samplePath("broken/truncated.pickle"), "-o", "-", "--json"});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(contains(run.out, "cut off within the events of GPU 0"));
    EXPECT_EQ(runHighwater({"report", samplePath("broken/empty.pickle"), "-o", "-", "--json"}).exitCode, 3);
}

namespace {

/// Saves a workspace with two runs, one of whose files no longer exists if `withMissing`.
std::string savedWorkspace(const test::TemporaryFolder& folder, bool withMissing)
{
    WorkspaceFile file;
    for (const NoteRun role : {NoteRun::Before, NoteRun::After}) {
        WorkspaceSource source;
        source.file = referenceTo(
            snapshotPath(role == NoteRun::Before ? "r5-flan-t5-xl-before" : "r5-flan-t5-xl-after"));
        source.role = role;
        source.isShown = true;
        file.sources.push_back(source);
    }
    if (withMissing) {
        WorkspaceSource gone;
        gone.file = referenceTo(folder.write("gone.log", "step 1 loss 2"));
        file.sources.push_back(gone);
        std::filesystem::remove(folder.path() / "gone.log");
    }
    Note note;
    note.title = "from the workspace";
    file.notes.push_back(note);
    file.report.kind = "pull-request";
    file.report.title = "Did it help?";
    const std::string path = (folder.path() / "run.highwater").string();
    EXPECT_TRUE(saveWorkspace(path, file));
    return path;
}

} // namespace

TEST(ReportCommand, TakesFilesNotesAndTemplateOfAWorkspace)
{
    const test::TemporaryFolder folder;
    const json report = reportOf({"--workspace", savedWorkspace(folder, false)});
    EXPECT_EQ(report["title"], "Did it help?");
    EXPECT_EQ(report["verdict"], reportOf(pairOf("r5-flan-t5-xl"))["verdict"]);
    EXPECT_TRUE(contains(report.dump(), "from the workspace"));
    EXPECT_TRUE(blocksOf(report, "finding").empty()) << "a pull request has none";
}

TEST(ReportCommand, TellsAFileOfAWorkspaceThatIsMissing)
{
    const test::TemporaryFolder folder;
    const auto run = runHighwater({"report", "--workspace", savedWorkspace(folder, true), "--template",
        "before-after", "-o", "-", "--json"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(contains(run.err, "gone.log"));
    EXPECT_TRUE(contains(run.out, "not read: "));
}

TEST(ReportCommand, HasABudgetOfBothRunsWithOneConfiguration)
{
    std::vector<std::string> arguments = pairOf("r1-grpo");
    arguments.insert(
        arguments.end(), {"--config", samplePath("budget/r1-grpo.yaml"), "--sections", "budget"});
    const json tables = blocksOf(reportOf(arguments), "table");
    std::vector<std::int64_t> observed;
    for (const json& table : tables)
        if (table["total"].contains("expected_bytes"))
            observed.push_back(table["total"]["observed_bytes"].get<std::int64_t>());
    ASSERT_EQ(observed.size(), 2u);
    EXPECT_NE(observed[0], observed[1]);
    arguments = {snapshotPath("r1-grpo-after"), "--config-before", samplePath("budget/r1-grpo.yaml")};
    arguments.insert(arguments.begin(), "report");
    arguments.insert(arguments.end(), {"-o", "-", "--json"});
    const auto alone = runHighwater(arguments);
    EXPECT_EQ(alone.exitCode, 2);
    EXPECT_TRUE(contains(alone.err, "no earlier run"));
}

TEST(ReportCommand, IsTheSameEachTime)
{
    const test::TemporaryFolder folder;
    std::vector<std::string> texts;
    for (const char* name : {"a.html", "b.html"}) {
        const std::string out = (folder.path() / name).string();
        test::RunOptions options;
        options.environment = {{"SOURCE_DATE_EPOCH", "1790000000"}};
        ASSERT_EQ(
            runHighwater({"report", snapshotPath("oom-fragmentation"), "-o", out}, options).exitCode, 0);
        texts.push_back(test::readWholeFile(out));
    }
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_TRUE(contains(texts[0], "21 September 2026, Highwater"));
}

TEST(ReportCommand, IsWrittenOfEveryRealFile)
{
    for (const char* name :
        {"snapshots/gpt-medium-ctx256-training.pickle", "snapshots/one-event-no-history.pickle",
            "snapshots/verl-private-pools-no-trace.pickle", "kineto/no-memory-events.json.gz",
            "kineto/cpu-mlp-oom-torch2.14.pt.trace.json.gz", "memory-timeline/cpu-gpt-3steps.memory.json",
            "nsys/h100-2gpu-before.sqlite", "logs/torchtitan-oom-8ranks.log", "logs/synthetic-run.wandb",
            "tensorboard/torchtitan-10steps.tfevents"}) {
        const std::optional<std::string> path = test::realFilePath(name);
        SKIP_WITHOUT_REAL_FILE(path);
        const json report = reportOf({*path});
        EXPECT_FALSE(report["verdict"].get<std::string>().empty()) << name;
        EXPECT_FALSE(blockOf(report, "files").is_null()) << name;
    }
}

} // namespace highwater
