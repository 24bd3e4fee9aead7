#include "core/study/run_comparison.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// A device with its trace.
struct Studied
{
    explicit Studied(const std::string& sample)
        : trace(openTrace(test::snapshotPath(sample), {})->trace)
        , study(std::make_shared<const DeviceStudy>(*trace, 0))
    {
    }

    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const DeviceStudy> study;
};

const char* const kBefore = "r5-flan-t5-xl-before";
const char* const kAfter = "r5-flan-t5-xl-after";

} // namespace

TEST(RunComparison, OfARunWithItselfIsZero)
{
    const Studied run(kBefore);
    const RunComparison same({run.study, {}}, {run.study, {}});
    EXPECT_TRUE(same.settings().empty());
    for (const DiffRow& row : same.diffAtPeaks(GroupKey::Site).diff.rows)
        EXPECT_EQ(row.delta(), 0) << row.key;
}

TEST(RunComparison, SumsToTheDifferenceOfBothPeaks)
{
    const Studied before(kBefore);
    const Studied after(kAfter);
    const RunComparison runs({before.study, {}}, {after.study, {}});
    Bytes sum = 0;
    for (const DiffRow& row : runs.diffAtPeaks(GroupKey::Category).diff.rows)
        sum += row.delta();
    EXPECT_EQ(sum, after.study->curve.peak().bytes - before.study->curve.peak().bytes);
}

TEST(RunComparison, SaysThatReservedMemoryDidNotFallWithThePeak)
{
    const Studied before(kBefore);
    const Studied after(kAfter);
    const DiffVerdict fell
        = RunComparison({before.study, {}}, {after.study, {}}).diffAtPeaks(GroupKey::Site).verdict;
    ASSERT_GE(fell.details.size(), 2u);
    EXPECT_TRUE(fell.details[1].ends_with("Reserved memory hardly fell: 30.79 GiB before, 30.69 GiB after."))
        << fell.details[1];
}

TEST(RunComparison, ComparesWhatConfigurationFilesSay)
{
    const Studied run(kBefore);
    const RunComparison runs(
        {run.study, {{"batch", "2", "yaml", 1}}}, {run.study, {{"batch", "4", "yaml", 1}}});
    ASSERT_EQ(runs.settings().size(), 1u);
    EXPECT_EQ(runs.settings().front(), (SettingChange{"batch", "2", "4"}));
}

TEST(RunComparison, DrawsItsVerdictFromPeaksOnlyBetweenPeaks)
{
    const Studied before(kBefore);
    const Studied after(kAfter);
    const RunComparison runs({before.study, {}}, {after.study, {}});
    const std::string atPeaks = runs.diffAtPeaks(GroupKey::Site).verdict.headline;
    const std::string asked
        = runs.diffAt(before.study->curve.peak().event, after.study->curve.peak().event, GroupKey::Site)
              .verdict.headline;
    EXPECT_EQ(atPeaks, asked);
    EXPECT_NE(atPeaks, runs.diffAt(0, 0, GroupKey::Site).verdict.headline);
}

TEST(RunComparison, JudgesRunsWithoutACommonCallSiteByNothingButTheirTotals)
{
    const Studied before("oom-fragmentation");
    const Studied after("r1-grpo-after");
    const RunComparison runs({before.study, {}}, {after.study, {}});
    for (const GroupKey key : {GroupKey::Site, GroupKey::Category, GroupKey::Stack}) {
        const DiffFindings found = runs.diffAtPeaks(key);
        EXPECT_TRUE(contains(found.verdict.headline, "No call site is in both runs"))
            << found.verdict.headline;
        ASSERT_EQ(found.verdict.details.size(), 1u);
        EXPECT_TRUE(contains(found.verdict.details[0], "The peak grew by")) << found.verdict.details[0];
        EXPECT_TRUE(found.replacements.empty());
    }
    EXPECT_FALSE(runs.unequalPeaks());
}

TEST(RunComparison, JudgesRunsWithoutStacksByTheSizesOfTheirAllocations)
{
    std::string text;
    std::string otherText;
    for (int i = 1; i <= 8; ++i) {
        text += fmt::format("alloc a{} {}KiB\n", i, i);
        otherText += fmt::format("alloc a{} {}KiB\n", i, i + 8);
    }
    const auto trace = test::traceFromText(text);
    const auto other = test::traceFromText(otherText);
    const ComparedDevice before{std::make_shared<const DeviceStudy>(*trace, 0), {}};
    const ComparedDevice after{std::make_shared<const DeviceStudy>(*other, 0), {}};
    const auto headline = [](const ComparedDevice& a, const ComparedDevice& b) {
        return RunComparison(a, b).diffAtPeaks(GroupKey::Size).verdict.headline;
    };
    EXPECT_TRUE(contains(headline(before, after), "No allocation size is in both runs"));
    EXPECT_FALSE(contains(headline(before, before), "in both runs"));
}

TEST(RunComparison, NamesStepsOfOneRunWithoutEarlierAndLater)
{
    const Studied run(kBefore);
    const RunComparison same({run.study, {}}, {run.study, {}});
    const std::vector<Step>& steps = run.study->steps.steps;
    const std::string headline
        = same.diffAt(steps[0].peakEvent, steps[1].peakEvent, GroupKey::Site).verdict.headline;
    EXPECT_TRUE(contains(headline, steps[0].name)) << headline;
    EXPECT_FALSE(containsAny(headline, {"earlier", "later", "these moments"})) << headline;
}

} // namespace highwater
