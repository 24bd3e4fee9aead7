#include "core/study/gpu_answer.h"

#include <gtest/gtest.h>

#include "core/analysis/budget/budget_headline.h"
#include "core/analysis/budget/budget_study.h"
#include "core/base/text/sentence_text.h"
#include "core/study/fixed_run.h"
#include "core/table/budget_tables.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

RunStudy runOn(std::shared_ptr<const Trace> trace, const std::string& gpu)
{
    RunParts parts;
    parts.name = "run.pickle";
    parts.trace = trace;
    parts.device = std::make_shared<const DeviceStudy>(*trace, 0);
    if (!gpu.empty())
        parts.capacity = *capacityFromText(gpu);
    return RunStudy(std::move(parts));
}

RunStudy sampleOn(const std::string& sample, const std::string& gpu)
{
    return runOn(openTrace(test::samplePath(sample), {})->trace, gpu);
}

std::string answerOf(const RunStudy& run)
{
    const std::optional<GpuAnswer> answer = answerForGpu(run);
    return answer ? answer->text : std::string();
}

/// Returns the first part of a sample, as a file that is cut off, on a GPU.
RunStudy cutSampleOn(const std::string& sample, std::size_t percent, const std::string& gpu)
{
    const test::TemporaryFolder folder;
    const std::string bytes = test::readDecompressed(test::samplePath(sample));
    const std::string path = folder.write("cut.pickle", bytes.substr(0, bytes.size() * percent / 100));
    return runOn(openTrace(path, {})->trace, gpu);
}

/// Checks that a run of which only a part is recorded fits no GPU for certain, in all words, and that a GPU
/// that is too small for the part is too small for certain.
void expectOnlyAPartFits(const RunStudy& run, const std::string& words, const std::string& reason)
{
    const std::optional<GpuAnswer> answer = answerForGpu(run);
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->text.starts_with("fits L4 " + words + ", at most ")) << answer->text;
    EXPECT_EQ(answer->verdict, "at-least");
    const BudgetStudy named = judgeGpus({"L4", "64MiB"}, *run.device(), run.findings()).value();
    EXPECT_EQ(verdictText(named.fits.front()), "at-least");
    EXPECT_EQ(named.fits.front().word(), "fits so far");
    EXPECT_EQ(named.fits.front().leftBytes(), named.fits.front().headroom);
    EXPECT_EQ(budgetHeadline(named).find(upperFirst(words) + ", the run fits L4 with at most "), 0u)
        << budgetHeadline(named);
    EXPECT_EQ(
        gpuFitTable(named).caption.find("; " + reason + ", so it may need more") != std::string::npos, true)
        << gpuFitTable(named).caption;
    const BudgetStudy all = judgeGpus({}, *run.device(), run.findings()).value();
    EXPECT_EQ(budgetHeadline(all).find(upperFirst(words) + ", the run fits "), 0u) << budgetHeadline(all);
    for (const GpuFit& fit : all.allFits)
        EXPECT_NE(fit.word(), "fits") << fit.gpu;
}

constexpr const char* kTraining = "pytorch-snapshot/training-6-steps-bare.pickle.zst";
constexpr const char* kTwelve = "segment_alloc s 12GiB\nalloc a 12GiB\nfree a\n";
constexpr const char* kFailed = "segment_alloc s 6GiB\nalloc a 6GiB\noom 4GiB 1GiB\nalloc b 512\nend\n";

} // namespace

TEST(GpuAnswer, IsMissingWithoutAChosenGpu)
{
    EXPECT_EQ(answerOf(runOn(test::traceFromText(kTwelve), "")), "");
}

TEST(GpuAnswer, CountsTheMissingBytesWithAContext)
{
    EXPECT_EQ(answerOf(runOn(test::traceFromText(kTwelve), "10 GiB")), "does not fit 10 GiB, 2.71 GiB short");
}

TEST(GpuAnswer, CountsTheSpareBytesWithAContext)
{
    EXPECT_EQ(answerOf(runOn(test::traceFromText(kTwelve), "14 GiB")), "fits 14 GiB, 1.29 GiB left");
}

TEST(GpuAnswer, LeavesAnswersOpenThatDependOnTheMachine)
{
    EXPECT_EQ(answerOf(runOn(test::traceFromText(kTwelve), "12.5 GiB")), "too close to say for 12.5 GiB");
}

TEST(GpuAnswer, CountsTheFailedRequestOfARunThatDied)
{
    EXPECT_EQ(answerOf(runOn(test::traceFromText(kFailed), "9 GiB")),
        "does not fit 9 GiB, at least 1.71 GiB short");
    EXPECT_EQ(answerOf(runOn(test::traceFromText(kFailed), "12 GiB")),
        "the failed request fits 12 GiB, 1.29 GiB left");
}

TEST(GpuAnswer, OfAFileThatIsCutOffHoldsOnlyUpToTheCut)
{
    expectOnlyAPartFits(cutSampleOn(kTraining, 70, "L4"), "up to the cut", "the file is cut off");
}

TEST(GpuAnswer, OfARecordingThatStartsLateHoldsOnlyAsFarAsRecorded)
{
    expectOnlyAPartFits(sampleOn("pytorch-snapshot/ring-buffer-overflow.pickle.zst", "L4"),
        "as far as recorded", "the recording starts late");
}

TEST(GpuAnswer, WithoutAHistoryHoldsOnlyAtTheSnapshotsMoment)
{
    expectOnlyAPartFits(sampleOn("encodings/tiny-segments-only.pickle", "L4"), "at the snapshot's moment",
        "the file shows one moment");
}

TEST(GpuAnswer, ThatEvenAPartOfTheRunIsTooLargeIsCertain)
{
    const RunStudy run = cutSampleOn(kTraining, 70, "64MiB");
    const std::optional<GpuAnswer> answer = answerForGpu(run);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->text.find("does not fit 64 MiB, at least "), 0u) << answer->text;
    EXPECT_EQ(answer->verdict, "does-not-fit");
    const BudgetStudy budget = judgeGpus({"64MiB"}, *run.device(), run.findings()).value();
    EXPECT_EQ(budgetHeadline(budget).find("The run does not fit 64MiB, at least "), 0u)
        << budgetHeadline(budget);
}

TEST(GpuAnswer, IsTheVerdictOfTheBudget)
{
    const RunStudy run = runOn(test::traceFromText(kFailed), "9 GiB");
    const BudgetStudy budget = studyBudget({{}, {"9 GiB"}, {}}, run.device()).value();
    EXPECT_EQ(budget.fits.front().headroom, -(kGiB + kUsualOutsideBytes));
    EXPECT_NE(budgetVerdict(budget).find("1.71 GiB"), std::string::npos) << budgetVerdict(budget);
}

TEST(GpuAnswer, CountsConfiguredMemoryOutsidePyTorch)
{
    RunParts parts = runOn(test::traceFromText(kTwelve), "12.5 GiB").parts();
    parts.shape = RunShape();
    parts.shape->outsideBytes = kGiB;
    EXPECT_EQ(answerOf(RunStudy(std::move(parts))), "does not fit 12.5 GiB, 512 MiB short");
}

TEST(GpuAnswer, OfARunThatRanOutOnTheGpuIsNeverOpen)
{
    const RunStudy run = sampleOn("rehearsed/r1-grpo-before.pickle.zst", "L4");
    EXPECT_EQ(answerOf(run), "does not fit L4: it ran out of memory");
}

TEST(GpuAnswer, SaysThatAGrowingRunFitsOnlyForATime)
{
    const RunStudy run = sampleOn(test::kGrpoSample, "32 GiB");
    EXPECT_TRUE(answerOf(run).starts_with("fits 32 GiB only until it has grown by another "))
        << answerOf(run);
    const std::string fixed = fitSentence(run, *run.finding("growth"));
    EXPECT_TRUE(fixed.starts_with("With this fix: the failed request fits 32 GiB, ")) << fixed;
}

TEST(GpuAnswer, JudgesAFixAgainstTheChosenGpu)
{
    const RunStudy run = sampleOn(test::kGrpoSample, "T4");
    const Finding& growth = *run.finding("growth");
    EXPECT_TRUE(answerOf(run).starts_with("does not fit T4, at least ")) << answerOf(run);
    EXPECT_EQ(fitSentence(run, growth), "With this fix: the failed request fits T4, 4.98 GiB left.");
    EXPECT_EQ(fixedRun(run, growth)->fitText, "the failed request fits T4, 4.98 GiB left");
}

TEST(GpuAnswer, SaysNothingOfFindingsWithoutASaving)
{
    const RunStudy run = sampleOn(test::kGrpoSample, "T4");
    EXPECT_EQ(fitSentence(run, *run.finding("peak-summary")), "");
}

} // namespace highwater
