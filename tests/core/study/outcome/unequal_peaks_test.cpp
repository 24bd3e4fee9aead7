// Tests of the warning that two peaks are of unequal steps.
#include "core/study/outcome/unequal_peaks.h"

#include <gtest/gtest.h>

#include "core/study/run_comparison.h"
#include "importers/registry/open_trace.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct ComparedSamples
{
    ComparedSamples(const std::string& beforeName, const std::string& afterName)
        : before(openTrace(test::snapshotPath(beforeName), {})->trace)
        , after(openTrace(test::snapshotPath(afterName), {})->trace)
        , runs({std::make_shared<const DeviceStudy>(*before, 0), {}},
              {std::make_shared<const DeviceStudy>(*after, 0), {}})
    {
    }

    std::shared_ptr<const Trace> before;
    std::shared_ptr<const Trace> after;
    RunComparison runs;
};

} // namespace

TEST(UnequalPeaks, AreThoseOfARunThatCameFurther)
{
    const ComparedSamples samples("r1-grpo-before", "r1-grpo-after");
    const std::optional<UnequalPeaks>& unequal = samples.runs.unequalPeaks();
    ASSERT_TRUE(unequal);
    EXPECT_EQ(unequal->beforeStep, "step 14");
    EXPECT_EQ(unequal->afterStep, "step 20");
    EXPECT_EQ(unequal->pairText(), "step 13 with step 13");
}

TEST(UnequalPeaks, FollowTheOutcomeAndTheLastStepThatBothCompleted)
{
    const ComparedSamples samples("r1-grpo-before", "r1-grpo-after");
    const DiffVerdict verdict = samples.runs.diffAtPeaks(GroupKey::Site).verdict;
    EXPECT_TRUE(verdict.headline.starts_with("Not fixed: ")) << verdict.headline;
    EXPECT_EQ(verdict.details.at(0),
        "In step 13, the last that both runs completed, the later run needs 5.83 GiB less, 16.62 GiB instead "
        "of 22.45 GiB.");
    EXPECT_EQ(verdict.details.at(1), "The rows compare the peaks, of step 14 and step 20.");
}

TEST(UnequalPeaks, AreNoCauseOfTheirDifference)
{
    const ComparedSamples samples("r1-grpo-before", "r1-grpo-after");
    for (const std::string& sentence : samples.runs.diffAtPeaks(GroupKey::Site).verdict.details)
        EXPECT_FALSE(sentence.starts_with("The largest")) << sentence;
}

TEST(UnequalPeaks, AreNoneWhereTheStepOfTheOtherPeakIsAsHigh)
{
    for (const char* name : {"r5-flan-t5-xl", "r3-vocabulary", "r2-grpo-logits"}) {
        const ComparedSamples samples(std::string(name) + "-before", std::string(name) + "-after");
        EXPECT_FALSE(samples.runs.unequalPeaks()) << name;
    }
}

TEST(UnequalPeaks, AreNoneOfARunWithItself)
{
    EXPECT_FALSE(ComparedSamples("r1-grpo-before", "r1-grpo-before").runs.unequalPeaks());
}

} // namespace highwater
