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
    EXPECT_EQ(unequal->pairText(), "step 13");
}

TEST(UnequalPeaks, LeaveTheRowsToTheLastStepThatBothCompleted)
{
    const ComparedSamples samples("r1-grpo-before", "r1-grpo-after");
    const DiffFindings found = samples.runs.mainDiff(GroupKey::Site);
    EXPECT_EQ(found.diff.before.bytes, 24'108'804'448);
    EXPECT_EQ(found.diff.after.bytes, 17'849'010'016);
    EXPECT_EQ(found.verdict.details.at(0),
        "Step 13 of the later run holds 5.83 GiB (26%) less than step 13 of the earlier run, 16.62 GiB "
        "instead of 22.45 GiB.");
}

TEST(UnequalPeaks, HaveTheSameOutcomeAsTheStep)
{
    const ComparedSamples samples("r1-grpo-before", "r1-grpo-after");
    const ComparedEvents peaks = samples.runs.peaks();
    EXPECT_NE(peaks, samples.runs.mainEvents());
    EXPECT_EQ(samples.runs.diffAt(peaks.before, peaks.after, GroupKey::Site).verdict.headline,
        samples.runs.mainDiff(GroupKey::Site).verdict.headline);
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
