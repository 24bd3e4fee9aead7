#include "core/study/gpu_answer.h"

#include <gtest/gtest.h>

#include "core/analysis/budget/budget_headline.h"
#include "core/analysis/budget/budget_study.h"
#include "core/study/fixed_run.h"
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
