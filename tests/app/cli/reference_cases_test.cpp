// The reference cases: checks the findings and figures that would have helped the people in each case, in
// bytes. Their sentences are in samples/README.md, which reference_phrases_test.cpp checks.
#include <cstdint>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;
using test::snapshotPath;

namespace {

/// Returns a sample that real trainers recorded with PyTorch's own allocator.
std::string rehearsed(const std::string& name)
{
    return samplePath("rehearsed/" + name + ".pickle.zst");
}

std::string runFile(const std::string& name)
{
    return samplePath("budget/" + name + ".yaml");
}

/// Returns what the command prints as JSON.
json jsonAnswer(std::vector<std::string> arguments)
{
    arguments.push_back("--json");
    const auto run = runHighwater(arguments);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return parseJson(run.out);
}

/// Returns the entry of a list that has this value at the key; null if there is none.
json entryBy(const json& list, const std::string& key, const std::string& value)
{
    for (const json& entry : list)
        if (entry[key] == value)
            return entry;
    return nullptr;
}

/// Expects a finding of this rule, with these figures and places in its title.
void expectFinding(const json& answer, const std::string& rule, const std::string& grade, std::int64_t bytes,
    const std::vector<std::string>& named = {})
{
    const json finding = entryBy(answer["findings"], "rule", rule);
    ASSERT_TRUE(finding.is_object()) << rule;
    EXPECT_EQ(finding["grade"], grade) << rule;
    EXPECT_EQ(finding["bytes"], bytes) << rule;
    const std::string title = finding["title"];
    for (const std::string& part : named)
        EXPECT_NE(title.find(part), std::string::npos) << part << " is not in: " << title;
}

/// Expects these peaks of the runs before and after.
void expectPeaks(const json& diff, std::int64_t before, std::int64_t after)
{
    EXPECT_EQ(diff["before"]["peak_bytes"], before);
    EXPECT_EQ(diff["after"]["peak_bytes"], after);
    EXPECT_EQ(diff["delta_bytes"], after - before);
}

/// Returns what the budget computes for a line whose bytes the people of the case stated.
json computedFor(const json& budget, const std::string& line)
{
    return entryBy(budget["stated"], "name", line)["computed_bytes"];
}

/// Expects the gap in R2's budget: the logits of one micro-step are expected, those of eight are alive.
void expectLogitsOf24(const json& budget)
{
    const json logits = entryBy(budget["lines"], "name", "logits");
    EXPECT_EQ(logits["bytes"], 3 * 2'195'456);
    EXPECT_EQ(logits["observed_bytes"], 24 * 2'195'456);
}

} // namespace

TEST(ReferenceCase, R1GrowsStepByStepAndTheFixesMissedIt)
{
    // 60 tensors of 8 × 1,024 × 768, two of logits and 144 tokens' scores: 1,150,596,960 bytes per step.
    const json findings = jsonAnswer({"findings", snapshotPath("r1-grpo-before")});
    expectFinding(findings, "growth", "A", 15'992'577'408, {"1.07 GiB", "policy_log_probs (trainer.py:186)"});
    expectFinding(findings, "padded-to-maximum", "C", 10'361'241'600,
        {"8 sequences of 1,024 tokens", "174 tokens each"});
    expectPeaks(jsonAnswer({"diff", snapshotPath("r1-grpo-before"), snapshotPath("r1-grpo-after")}),
        24'287'511'136, 24'322'085'344);
    const json budget
        = jsonAnswer({"budget", "--config", runFile("r1-grpo"), snapshotPath("r1-grpo-before")});
    EXPECT_EQ(computedFor(budget, "total"), 637'674'720);
    EXPECT_EQ(budget["observed_bytes"], 24'287'511'136) << "38.1 times";
}

TEST(ReferenceCase, R2KeepsTheLogitsOfThreePassesOverEveryMicroStep)
{
    // 8 micro-steps × 3 × 8 × 1,024 × 67 × 4 = 52,690,944 bytes.
    const json findings = jsonAnswer(
        {"findings", "--config", runFile("r2-grpo-logits"), snapshotPath("r2-grpo-logits-before")});
    expectFinding(findings, "oversized-logits", "A", 52'690'944, {"24", "15%", "B=8, T=1024", "67"});
    expectPeaks(
        jsonAnswer({"diff", snapshotPath("r2-grpo-logits-before"), snapshotPath("r2-grpo-logits-after")}),
        361'807'104, 309'116'160);
    expectLogitsOf24(
        jsonAnswer({"budget", "--config", runFile("r2-grpo-logits"), snapshotPath("r2-grpo-logits-before")}));
}

TEST(ReferenceCase, R2HasNoLogitsAtThePeakOnceTheyGoAfterUse)
{
    for (const std::vector<std::string>& options :
        {std::vector<std::string>{}, {"--config", runFile("r2-grpo-logits")}}) {
        std::vector<std::string> arguments = {"findings", snapshotPath("r2-grpo-logits-after")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const json after = jsonAnswer(arguments)["findings"];
        EXPECT_TRUE(entryBy(after, "rule", "peak-summary").is_object());
        EXPECT_TRUE(entryBy(after, "rule", "oversized-logits").is_null());
        arguments[1] = snapshotPath("r2-grpo-logits-before");
        EXPECT_TRUE(entryBy(jsonAnswer(arguments)["findings"], "rule", "oversized-logits").is_object());
    }
}

TEST(ReferenceCase, R2NamesItsVocabularyWithoutAConfiguration)
{
    const json findings = jsonAnswer({"findings", snapshotPath("r2-grpo-logits-before")});
    expectFinding(findings, "oversized-logits", "B", 52'690'944, {"vocabulary 67"});
    const std::string evidence = entryBy(findings["findings"], "rule", "oversized-logits")["evidence"].dump();
    EXPECT_NE(evidence.find("67 rows of 512 B"), std::string::npos) << evidence;
}

TEST(ReferenceCase, R3KeepsTheGraphOfEveryBatchBesideThreeCopiesOfLogits)
{
    // Logits of 128 × 256 × 50,257 × 4 = 6,587,285,504 bytes; graphs of 34 × 128 × 256 × 640 × 4.
    const json findings
        = jsonAnswer({"findings", "--config", runFile("r3-as-run"), snapshotPath("r3-vocabulary-before")});
    expectFinding(findings, "oversized-logits", "A", 3 * 6'587'285'504, {"49%", "B=128, T=256", "50,257"});
    expectFinding(findings, "retained-graph", "B", 6 * 2'852'126'720, {"6 steps"});
    expectFinding(findings, "growth", "A", 6 * 2'852'126'720, {"2.66 GiB", "train_step (train.py:52)"});
    EXPECT_EQ(entryBy(findings["findings"], "rule", "too-big")["step"], 7);
    expectPeaks(
        jsonAnswer({"diff", snapshotPath("r3-vocabulary-before"), snapshotPath("r3-vocabulary-after")}),
        40'232'863'236, 7'065'118'724);
}

TEST(ReferenceCase, R4NeedsHalfTheLogitsInHalfTheBatch)
{
    const json budget = jsonAnswer({"budget", "--config", runFile("r4-verl"), "--what-if", "batch=32,16"});
    // 16 × 1,536 × 152,064 elements of logits: 2 bytes, and three copies of 4 bytes in the loss.
    EXPECT_EQ(computedFor(budget, "total"), 64'971'472'896);
    EXPECT_EQ(entryBy(budget["lines"], "name", "logits")["bytes"], 52'319'748'096);
    EXPECT_EQ(budget["what_if"]["cases"][0]["lines"]["logits"], 2 * 52'319'748'096)
        << "twice the micro-batch";
}

TEST(ReferenceCase, R3FitsNoCardAsConfiguredAndATinyVocabularyFitsAll)
{
    const json budget = jsonAnswer({"budget", "--config", runFile("r3-vocabulary")});
    for (const json& gpu : budget["fits"])
        EXPECT_EQ(gpu["fits"], false) << gpu["gpu"];
    EXPECT_EQ(entryBy(budget["fits"], "gpu", "A100 40")["headroom_bytes"], -11'952'037'888);
    EXPECT_EQ(computedFor(budget, "logits"), 52'698'284'032);
    // 128 × 256 × 10,000 × 4 bytes of logits in each of three copies.
    const json tiny = jsonAnswer({"budget", "--config", runFile("r3-as-run"), "--what-if",
        "vocab=50257,10000"})["what_if"]["cases"][1];
    EXPECT_EQ(tiny["settings"]["vocab"], "10000");
    EXPECT_EQ(tiny["lines"]["logits"], 3'932'160'000);
    EXPECT_EQ(tiny["fits"], json::array({"T4", "L4", "A100 40"}));
}

TEST(ReferenceCase, R4CountsMoreThanTheGpuHasAndItsPeakFellByAThird)
{
    const json findings = jsonAnswer({"findings", samplePath("logs/r4-verl-slurm.err")});
    expectFinding(findings, "not-on-device", "B", 28'518'582'845, {"17.66 GiB", "100.77 GiB", "79.18 GiB"});
    const json diff
        = jsonAnswer({"diff", samplePath("logs/r4-verl-before.err"), samplePath("logs/r4-verl-after.err")});
    expectPeaks(diff, 74'604'655'673, 48'178'795'643);
    EXPECT_EQ(diff["before"]["peak_step"], 4);
    EXPECT_EQ(diff["after"]["peak_step"], 6);
    EXPECT_EQ(diff["ooms"]["before"][0]["step"], 5) << "the series ends before it";
    EXPECT_TRUE(diff["ooms"]["after"].empty());
}

TEST(ReferenceCase, R5HasTheModelThreeTimesAndABudgetThatIsLow)
{
    expectFinding(jsonAnswer({"findings", snapshotPath("r5-flan-t5-xl-before")}), "duplicate-model", "A",
        2 * 5'699'514'368, {"3 copies of the model", "558 tensors"});
    expectPeaks(
        jsonAnswer({"diff", snapshotPath("r5-flan-t5-xl-before"), snapshotPath("r5-flan-t5-xl-after")}),
        32'826'093'568, 25'411'850'240);
    const json budget = jsonAnswer({"budget", "--config", runFile("r5-flan-t5-xl")});
    EXPECT_EQ(computedFor(budget, "optimizer_state"), 12'000'000'000) << "stated are 6";
    EXPECT_EQ(entryBy(budget["stated"], "name", "optimizer_state")["verdict"], "low");
    EXPECT_EQ(entryBy(budget["stated"], "name", "total")["verdict"], "low");
}

TEST(RehearsedCase, R1GrowsWithEveryStepAndTheFixesMissedIt)
{
    const json findings
        = jsonAnswer({"findings", "--config", runFile("r1-grpo"), rehearsed("r1-grpo-before")});
    expectFinding(findings, "growth", "A", 13'947'985'184, {"823.01 MiB", "log_probs (r1_grpo.py:70)"});
    expectFinding(findings, "generation-with-gradients", "B", 2'827'200'648, {"3 generations"});
    const json budget = jsonAnswer({"budget", "--config", runFile("r1-grpo"), rehearsed("r1-grpo-before")});
    EXPECT_EQ(computedFor(budget, "total"), 637'674'720);
    EXPECT_EQ(budget["observed_bytes"], 23'088'358'616) << "36.2 times";
    expectFinding(jsonAnswer({"findings", rehearsed("r1-grpo-after")}), "growth", "A", 16'580'118'758,
        {"830.31 MiB", "log_probs (r1_grpo.py:70)"});
    expectPeaks(jsonAnswer({"diff", rehearsed("r1-grpo-before"), rehearsed("r1-grpo-after")}), 23'088'358'616,
        22'829'448'662);
}

TEST(RehearsedCase, R3StoresStatesWithTheirGraphBesideFourCopiesOfLogits)
{
    const json findings = jsonAnswer({"findings", rehearsed("r3-vocabulary-before")});
    expectFinding(findings, "growth", "A", 6'546'396'160, {"1.22 GiB", "step (r3_vocabulary.py:52)"});
    expectFinding(findings, "retained-graph", "B", 6'545'080'320, {"5 steps"});
    expectFinding(
        jsonAnswer({"findings", "--config", runFile("r3-rehearsed"), rehearsed("r3-vocabulary-before")}),
        "oversized-logits", "A", 4 * 6'587'285'504, {"76%", "B=128, T=256", "50,257"});
    expectPeaks(jsonAnswer({"diff", rehearsed("r3-vocabulary-before"), rehearsed("r3-vocabulary-after")}),
        34'740'471'768, 6'715'666'632);
    const json budget
        = jsonAnswer({"budget", "--config", runFile("r3-rehearsed"), rehearsed("r3-vocabulary-before")});
    EXPECT_EQ(budget["observed"]["needed_bytes"], 43'293'736'960);
    EXPECT_EQ(entryBy(budget["fits"], "gpu", "A100 40")["headroom_bytes"], -1'907'490'816);
}

TEST(RehearsedCase, R2KeepsTheLogitsOfThreePassesOverEveryMicroStep)
{
    expectFinding(
        jsonAnswer({"findings", "--config", runFile("r2-grpo-logits"), rehearsed("r2-grpo-logits-before")}),
        "oversized-logits", "A", 52'690'944, {"24", "14%", "B=8, T=1024", "67"});
    expectPeaks(jsonAnswer({"diff", rehearsed("r2-grpo-logits-before"), rehearsed("r2-grpo-logits-after")}),
        370'810'732, 318'119'788);
    expectLogitsOf24(
        jsonAnswer({"budget", "--config", runFile("r2-grpo-logits"), rehearsed("r2-grpo-logits-before")}));
}

TEST(RehearsedCase, R2HasALogOnTheClockOfItsSnapshot)
{
    const auto run = runHighwater({"report", rehearsed("r2-grpo-logits-before"),
        samplePath("trainers/r2-grpo-logits-before.jsonl"), "--json", "-o", "-"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_NE(run.out.find("347.4 MiB then, 353.6 MiB at most"), std::string::npos);
}

TEST(RehearsedCase, R5HasTheModelThreeTimesOnlyWhereCopiesAreNamed)
{
    const json told = jsonAnswer({"findings", rehearsed("r5-flan-t5-xl-before")});
    expectFinding(told, "settings-advice", "B", 9'227'468'800, {"max_split_size_mb"});
    expectFinding(told, "cache-flush-churn", "B", 10'747'904'000, {"4 times"});
    EXPECT_TRUE(entryBy(told["findings"], "rule", "duplicate-model").is_null()) << ".to() copied nothing";
    const json kept = jsonAnswer({"findings", rehearsed("r5-flan-t5-xl-kept")});
    expectFinding(kept, "duplicate-model", "A", 2 * 5'699'514'368, {"3 copies of the model", "558 tensors"});
    expectFinding(kept, "optimizer-state-first-step", "B", 7'805'232'616);
    const json diff
        = jsonAnswer({"diff", rehearsed("r5-flan-t5-xl-before"), rehearsed("r5-flan-t5-xl-after")});
    expectPeaks(diff, 23'265'773'756, 23'265'773'756);
    for (const json& row : diff["rows"])
        EXPECT_EQ(row["delta_bytes"], 0) << row["key"];
    const json budget
        = jsonAnswer({"budget", "--config", runFile("r5-flan-t5-xl"), rehearsed("r5-flan-t5-xl-before")});
    EXPECT_EQ(computedFor(budget, "total"), 34'000'000'000);
    EXPECT_EQ(budget["observed_bytes"], 23'265'773'756) << "0.68 times";
}

} // namespace highwater
