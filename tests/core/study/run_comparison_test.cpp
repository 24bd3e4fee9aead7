#include "core/study/run_comparison.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

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
