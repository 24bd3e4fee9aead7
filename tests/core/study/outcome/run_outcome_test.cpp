// Tests of a comparison's outcome in plain words.
#include "core/study/outcome/run_outcome.h"

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "core/study/run_comparison.h"
#include "importers/registry/open_trace.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

using test::traceFromText;

class OutcomeOf
{
public:
    OutcomeOf(std::shared_ptr<const Trace> before, std::shared_ptr<const Trace> after)
        : m_before(std::move(before))
        , m_after(std::move(after))
        , m_runs({std::make_shared<const DeviceStudy>(*m_before, 0), {}},
              {std::make_shared<const DeviceStudy>(*m_after, 0), {}})
    {
    }

    DiffVerdict verdict(GroupKey key = GroupKey::Site) const { return m_runs.diffAtPeaks(key).verdict; }
    const RunComparison& runs() const { return m_runs; }

private:
    std::shared_ptr<const Trace> m_before;
    std::shared_ptr<const Trace> m_after;
    RunComparison m_runs;
};

OutcomeOf samples(const std::string& name)
{
    const auto trace = [](const std::string& file) { return openTrace(test::snapshotPath(file), {})->trace; };
    return {trace(name + "-before"), trace(name + "-after")};
}

constexpr const char* kSmall = "alloc a 1KiB\nfree a\n";
constexpr const char* kFails = "alloc a 3GiB\noom 1GiB 1MiB\n";

} // namespace

TEST(RunOutcome, TellsCopiesThatAreGoneAndHowBothRunsEnded)
{
    const OutcomeOf runs = samples("r5-flan-t5-xl");
    const ComparedEnds ends = runs.runs().ends();
    EXPECT_EQ(ends.before.failedIn, "in step 1");
    EXPECT_EQ(ends.before.bytesAtFailure, 32'826'093'568);
    EXPECT_FALSE(ends.after.failedAt);
    EXPECT_EQ(ends.after.peakBytes, 25'411'850'240);
    EXPECT_TRUE(test::hasParts(runs.verdict().headline,
        {"Fixed: the later run removed two of three copies", "10.62 GiB", "completes at 23.67 GiB",
            "step 1 at 30.57 GiB"}));
}

TEST(RunOutcome, NamesThePeakFromWhichItIsLowered)
{
    EXPECT_TRUE(test::hasParts(samples("r3-vocabulary").verdict().headline,
        {"Fixed: the later run lowers the peak by 30.89 GiB from 37.47 GiB", "step 7 at 33.99 GiB"}));
}

TEST(RunOutcome, IsNotFixedIfBothRunsFail)
{
    const OutcomeOf runs = samples("r1-grpo");
    const ComparedEnds ends = runs.runs().ends();
    EXPECT_EQ(ends.before.bytesAtFailure, 24'287'511'136);
    EXPECT_EQ(ends.after.bytesAtFailure, 24'322'085'344);
    EXPECT_EQ(runs.verdict().headline,
        "Not fixed: memory still leaks 0.96 GiB per step (1.07 GiB before), and the run again runs out of "
        "memory, now in step 20 at 22.65 GiB. Before, it ran out in step 14 at 22.62 GiB.");
}

TEST(RunOutcome, OfARunAndItselfIsNoDifference)
{
    const auto run = openTrace(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {})->trace;
    const OutcomeOf runs(run, run);
    const std::optional<StepDifference> difference = runs.runs().ends().atEqualSteps;
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->least, 0);
    EXPECT_EQ(difference->most, 0);
    EXPECT_TRUE(test::hasParts(
        runs.verdict().headline, {"step 14 at 22.62 GiB", "the same", "1.07 GiB per step (as before)"}));
}

TEST(RunOutcome, IsUndecidedIfTheLaterRunEndsBeforeTheStepThatFailed)
{
    ComparedEnds ends;
    ends.before.failedAt = 9;
    ends.before.failedIn = "in step 3";
    ends.before.completeSteps = ends.after.completeSteps = 3;
    EXPECT_TRUE(outcomeText(ends, {}).starts_with("Undecided: the run no longer runs out of memory"));
    ends.after.completeSteps = 4;
    EXPECT_TRUE(outcomeText(ends, {}).starts_with("Fixed: the run now completes"));
}

TEST(RunOutcome, IsPartlyFixedIfTheLeakIsAtMostHalf)
{
    ComparedEnds ends;
    ends.before.growth = 100;
    ends.before.isGrowthKnown = ends.after.isGrowthKnown = true;
    ends.after.growth = 50;
    EXPECT_TRUE(
        outcomeText(ends, {}).starts_with("Partly fixed: memory still leaks 50 B per step (100 B before)"));
    ends.after.growth = 51;
    EXPECT_TRUE(outcomeText(ends, {}).starts_with("Not fixed: "));
    ends.after.growth.reset();
    EXPECT_TRUE(outcomeText(ends, {}).starts_with("Fixed: memory no longer leaks (100 B per step before)"));
    ends.after.isGrowthKnown = false;
    EXPECT_TRUE(outcomeText(ends, {}).starts_with("Undecided: "));
}

TEST(RunOutcome, IsTheSameWhateverTheRowsAreGroupedBy)
{
    const OutcomeOf runs = samples("r1-grpo");
    EXPECT_EQ(runs.verdict(GroupKey::Site).headline, runs.verdict(GroupKey::Category).headline);
}

TEST(RunOutcome, KeepsTheFiguresOfTheDifferenceAsTheFirstDetail)
{
    EXPECT_TRUE(test::hasParts(samples("r5-flan-t5-xl").verdict().details.at(0),
        {"fell by 6.905 GiB (23%)", "from 30.572 GiB to 23.667 GiB"}));
}

TEST(RunOutcome, LeavesTheFiguresOfTheDifferenceToWhereTheyAreShown)
{
    const DiffVerdict verdict = samples("r5-flan-t5-xl").verdict();
    const std::vector<std::string> others = verdict.detailsWithoutChange();
    EXPECT_EQ(others.size() + 1, verdict.details.size());
    EXPECT_EQ(verdict.details.at(0), verdict.change);
    EXPECT_NE(others.at(0), verdict.change);
}

TEST(RunOutcome, LeavesTheFiguresAloneWhereNeitherRunFailsOrGrows)
{
    const OutcomeOf runs(traceFromText("alloc a 2KiB\nfree a\n"), traceFromText(kSmall));
    EXPECT_TRUE(test::hasParts(runs.verdict().headline, {"fell by 1 KiB (50%)", "from 2 KiB to 1 KiB"}));
}

TEST(RunOutcome, SaysThatTheRunAfterFailsAndTheOneBeforeDidNot)
{
    const OutcomeOf runs(traceFromText(kSmall), traceFromText(kFails));
    EXPECT_FALSE(runs.runs().ends().before.failedAt);
    EXPECT_TRUE(runs.runs().ends().after.failedAt);
    EXPECT_TRUE(test::hasParts(
        runs.verdict().headline, {"Worse: the later run ran out of memory at 3 GiB", "1 KiB"}));
}

TEST(RunOutcome, DoesNotSayThatARunCompletesWhoseStepsAreNotKnown)
{
    const std::string headline = OutcomeOf(traceFromText(kFails), traceFromText(kSmall)).verdict().headline;
    EXPECT_TRUE(test::hasParts(headline, {"by 3 GiB", "peaks at 1 KiB", "at 3 GiB"}));
    EXPECT_FALSE(contains(headline, "completes")) << headline;
}

TEST(RunOutcome, CallsNoCopyRemovedWhereTheModelIsOnlyMadeElsewhere)
{
    ComparedEnds ends;
    DiffFindings found;
    const ExtraModelCopy gone{.rows = {0}, .count = 2, .bytes = 100, .isGone = true};
    const ExtraModelCopy came{.rows = {1}, .count = 2, .bytes = 100, .isGone = false};
    found.causes.modelCopies = {gone, came};
    EXPECT_EQ(outcomeText(ends, found), "");
    found.causes.modelCopies = {gone};
    EXPECT_TRUE(test::hasParts(outcomeText(ends, found), {"removed one of two copies", "100 B"}));
}

TEST(RunOutcome, IsSilentAboutOtherMomentsThanThePeaks)
{
    const OutcomeOf runs = samples("r5-flan-t5-xl");
    EXPECT_TRUE(test::hasParts(runs.runs().diffAt(10, 10, GroupKey::Site).verdict.headline,
        {"he moment after event 10 of the earlier run"}));
}

} // namespace highwater
