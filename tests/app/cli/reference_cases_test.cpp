// The reference cases: checks the sentences and figures that would have helped the people in each case.
#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

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

/// Expects the program to print the sentence, and the samples' README to quote it.
void expectSentence(const std::vector<std::string>& arguments, const std::string& sentence)
{
    static const std::string readme = test::readWholeFile(samplePath("README.md"));
    const auto run = runHighwater(arguments);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_NE(run.out.find(sentence), std::string::npos) << sentence << "\nis not in:\n" << run.out;
    EXPECT_NE(readme.find(sentence), std::string::npos) << sentence << "\nis not in the README of samples";
}

} // namespace

TEST(ReferenceCase, R1GrowsStepByStepAndTheFixesMissedIt)
{
    // 60 tensors of 8 × 1,024 × 768, two of logits and 144 tokens' scores: 1,150,596,960 bytes per step.
    expectSentence({"findings", snapshotPath("r1-grpo-before")},
        "Memory leaks 1.07 GiB per step through policy_log_probs trainer.py:186: 14.89 GiB of the peak was "
        "allocated in earlier steps and never "
        "freed");
    expectSentence({"findings", snapshotPath("r1-grpo-before")},
        "9.65 GiB of the peak may be padding: hidden states are 8 × 1,024, logits 8 × 174?");
    expectSentence({"diff", snapshotPath("r1-grpo-before"), snapshotPath("r1-grpo-after")},
        "The peak barely moved (+32.97 MiB, +0.1%)");
    expectSentence({"budget", "--config", runFile("r1-grpo"), snapshotPath("r1-grpo-before")},
        "observed against the 608.13 MiB of the stated lines: 38.1×");
}

TEST(ReferenceCase, R2KeepsTheLogitsOfThreePassesOverEveryMicroStep)
{
    // 8 micro-steps × 3 × 8 × 1,024 × 67 × 4 = 52,690,944 bytes.
    const std::vector<std::string> findings
        = {"findings", "--config", runFile("r2-grpo-logits"), snapshotPath("r2-grpo-logits-before")};
    expectSentence(
        findings, "24 copies of logits hold 50.25 MiB (15%) of the peak: fp32 logits, B=8, T=1024, V=67");
    expectSentence(findings, "8 allocated in forward, 8 in generation, 8 in scoring");
    expectSentence({"diff", snapshotPath("r2-grpo-logits-before"), snapshotPath("r2-grpo-logits-after")},
        "The peak fell by 50.25 MiB (15%), from 345.05 MiB to 294.8 MiB.");
    expectSentence({"budget", "--config", runFile("r2-grpo-logits"), snapshotPath("r2-grpo-logits-before")},
        "largest gap: logits, 50.25 MiB observed against 6.28 MiB expected (+43.97 MiB)");
}

TEST(ReferenceCase, R2HasNoLogitsAtThePeakOnceTheyGoAfterUse)
{
    for (const std::vector<std::string>& options :
        {std::vector<std::string>{}, {"--config", runFile("r2-grpo-logits")}}) {
        std::vector<std::string> arguments = {"findings", snapshotPath("r2-grpo-logits-after")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto after = runHighwater(arguments);
        EXPECT_EQ(after.exitCode, 0) << after.err;
        EXPECT_NE(after.out.find("[peak-summary]"), std::string::npos) << after.out;
        EXPECT_EQ(after.out.find("oversized-logits"), std::string::npos);
        arguments[1] = snapshotPath("r2-grpo-logits-before");
        EXPECT_NE(runHighwater(arguments).out.find("[oversized-logits]"), std::string::npos);
    }
}

TEST(ReferenceCase, R2NamesItsVocabularyWithoutAConfiguration)
{
    const auto run = runHighwater({"findings", snapshotPath("r2-grpo-logits-before")});
    EXPECT_NE(run.out.find("V=67: a parameter has 67 rows of 512 B"), std::string::npos) << run.out;
}

TEST(ReferenceCase, R3KeepsTheGraphOfEveryBatchBesideThreeCopiesOfLogits)
{
    // Logits of 128 × 256 × 50,257 × 4 = 6,587,285,504 bytes; graphs of 34 × 128 × 256 × 640 × 4.
    const std::vector<std::string> findings
        = {"findings", "--config", runFile("r3-as-run"), snapshotPath("r3-vocabulary-before")};
    expectSentence(
        findings, "3 copies of logits hold 18.4 GiB (49%) of the peak: fp32 logits, B=128, T=256, V=50,257");
    expectSentence(findings, "The autograd graph of 6 steps is still in memory: 15.94 GiB of the peak");
    expectSentence(findings,
        "Memory leaks 2.66 GiB per step through train_step train.py:52: 15.94 GiB of the peak was allocated "
        "in earlier steps and never "
        "freed");
    expectSentence(findings, "Memory ran out in step 7");
    expectSentence({"diff", snapshotPath("r3-vocabulary-before"), snapshotPath("r3-vocabulary-after")},
        "The peak fell by 30.89 GiB (82%), from 37.47 GiB to 6.58 GiB.");
}

TEST(ReferenceCase, R4NeedsHalfTheLogitsInHalfTheBatch)
{
    const std::vector<std::string> budget
        = {"budget", "--config", runFile("r4-verl"), "--what-if", "batch=32,16"};
    // 16 × 1,536 × 152,064 × 2 bytes of logits in each of three copies.
    expectSentence(budget, "total: stated 40-50 GB, computed 34,369,830,912 bytes");
    EXPECT_NE(runHighwater(budget).out.find("41.77 GiB"), std::string::npos) << "twice the micro-batch";
}

TEST(ReferenceCase, R3FitsNoCardAsConfiguredAndATinyVocabularyFitsAll)
{
    const std::vector<std::string> budget = {"budget", "--config", runFile("r3-vocabulary")};
    expectSentence(budget, "does not fit A100 40 (39.25 GiB reported): 10.43 GiB too much");
    expectSentence(budget, "logits: stated 49.08 GiB, computed 52,698,284,032 bytes");
    // 128 × 256 × 10,000 × 4 bytes of logits in each of three copies.
    const auto asRun
        = runHighwater({"budget", "--config", runFile("r3-as-run"), "--what-if", "vocab=50257,10000"});
    EXPECT_NE(asRun.out.find("10000"), std::string::npos) << asRun.out;
    EXPECT_NE(asRun.out.find("3.66 GiB"), std::string::npos) << asRun.out;
}

TEST(ReferenceCase, R4CountsMoreThanTheGpuHasAndItsPeakFellByAThird)
{
    expectSentence({"findings", samplePath("logs/r4-verl-slurm.err")},
        "100.77 GiB counted on a GPU of 79.18 GiB: 21.59 GiB more than it has");
    const std::vector<std::string> diff
        = {"diff", samplePath("logs/r4-verl-before.err"), samplePath("logs/r4-verl-after.err")};
    expectSentence(
        diff, "The peak fell by 24.61 GiB (−35%), from 69.48 GiB at step 4 to 44.87 GiB at step 6");
    expectSentence(diff,
        "Where memory ran out, the series ends before the request that failed: its peak is less than the run "
        "needed.");
}

TEST(ReferenceCase, R5HasTheModelThreeTimesAndABudgetThatIsLow)
{
    expectSentence({"findings", snapshotPath("r5-flan-t5-xl-before")},
        "The model is in memory 3 times: 10.62 GiB more than once (558 tensors, 5.31 GiB each)");
    expectSentence({"diff", snapshotPath("r5-flan-t5-xl-before"), snapshotPath("r5-flan-t5-xl-after")},
        "The peak fell by 6.91 GiB (23%), from 30.57 GiB to 23.67 GiB.");
    expectSentence({"budget", "--config", runFile("r5-flan-t5-xl")},
        "the stated figure is low by 6.00 GB; it is what adamw-8bit needs");
}

TEST(RehearsedCase, R1GrowsWithEveryStepAndTheFixesMissedIt)
{
    const std::vector<std::string> findings
        = {"findings", "--config", runFile("r1-grpo"), rehearsed("r1-grpo-before")};
    expectSentence(findings,
        "Memory leaks 823.01 MiB per step through log_probs r1_grpo.py:70: 12.99 GiB of the peak was "
        "allocated in earlier steps and never "
        "freed");
    expectSentence(findings,
        "Generation keeps the graph of every token: 2.63 GiB pile up until the phase ends, in 3 generations");
    expectSentence({"budget", "--config", runFile("r1-grpo"), rehearsed("r1-grpo-before")},
        "observed against the 608.13 MiB of the stated lines: 36.2×");
    expectSentence({"findings", rehearsed("r1-grpo-after")},
        "Memory leaks 830.31 MiB per step through log_probs r1_grpo.py:70: 15.44 GiB of the peak was "
        "allocated in earlier steps and never "
        "freed");
    expectSentence({"diff", rehearsed("r1-grpo-before"), rehearsed("r1-grpo-after")},
        "The peak fell by 246.92 MiB (1%), from 21.5 GiB to 21.26 GiB.");
}

TEST(RehearsedCase, R3StoresStatesWithTheirGraphBesideFourCopiesOfLogits)
{
    expectSentence({"findings", rehearsed("r3-vocabulary-before")},
        "Memory leaks 1.22 GiB per step through step r3_vocabulary.py:52: 6.1 GiB of the peak was allocated "
        "in earlier steps and never "
        "freed");
    expectSentence({"findings", rehearsed("r3-vocabulary-before")},
        "The autograd graph of 5 steps is still in memory: 6.1 GiB of the peak");
    expectSentence({"findings", "--config", runFile("r3-rehearsed"), rehearsed("r3-vocabulary-before")},
        "4 copies of logits hold 24.54 GiB (76%) of the peak: fp32 logits, B=128, T=256, V=50,257");
    expectSentence({"diff", rehearsed("r3-vocabulary-before"), rehearsed("r3-vocabulary-after")},
        "The peak fell by 26.1 GiB (81%), from 32.35 GiB to 6.25 GiB.");
    expectSentence({"budget", "--config", runFile("r3-rehearsed"), rehearsed("r3-vocabulary-before")},
        "what was observed (40.32 GiB) does not fit A100 40 (39.25 GiB reported): 1.07 GiB too much");
}

TEST(RehearsedCase, R2KeepsTheLogitsOfThreePassesOverEveryMicroStep)
{
    expectSentence({"findings", "--config", runFile("r2-grpo-logits"), rehearsed("r2-grpo-logits-before")},
        "24 copies of logits hold 50.25 MiB (14%) of the peak: fp32 logits, B=8, T=1024, V=67");
    expectSentence({"diff", rehearsed("r2-grpo-logits-before"), rehearsed("r2-grpo-logits-after")},
        "The peak fell by 50.25 MiB (14%), from 353.63 MiB to 303.38 MiB.");
    expectSentence({"budget", "--config", runFile("r2-grpo-logits"), rehearsed("r2-grpo-logits-before")},
        "largest gap: logits, 50.25 MiB observed against 6.28 MiB expected (+43.97 MiB)");
}

TEST(RehearsedCase, R2HasALogOnTheClockOfItsSnapshot)
{
    const auto run = runHighwater({"report", rehearsed("r2-grpo-logits-before"),
        samplePath("trainers/r2-grpo-logits-before.jsonl"), "--json", "-o", "-"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_NE(run.out.find("353.6 MiB at most (both files tell the time)"), std::string::npos);
}

TEST(RehearsedCase, R5HasTheModelThreeTimesOnlyWhereCopiesAreNamed)
{
    const std::vector<std::string> told = {"findings", rehearsed("r5-flan-t5-xl-before")};
    expectSentence(told, "Without max_split_size_mb, 8.59 GiB less would have been reserved at the peak");
    expectSentence(told, "The cache is emptied 4 times, and 10.01 GiB is reserved again each time");
    EXPECT_EQ(runHighwater(told).out.find("[duplicate-model]"), std::string::npos) << ".to() copied nothing";
    expectSentence({"findings", rehearsed("r5-flan-t5-xl-kept")},
        "The model is in memory 3 times: 10.62 GiB more than once (558 tensors, 5.31 GiB each)");
    expectSentence({"findings", rehearsed("r5-flan-t5-xl-kept")},
        "Memory ran out within the first optimizer step: it had made 7.27 GiB of state, and the rest was to "
        "come");
    expectSentence({"diff", rehearsed("r5-flan-t5-xl-before"), rehearsed("r5-flan-t5-xl-after")},
        "The peak is the same to the byte (23,265,773,756 B), and so is every row.");
    expectSentence({"budget", "--config", runFile("r5-flan-t5-xl"), rehearsed("r5-flan-t5-xl-before")},
        "observed against the 31.66 GiB of the stated lines: 0.68×");
}

} // namespace highwater
