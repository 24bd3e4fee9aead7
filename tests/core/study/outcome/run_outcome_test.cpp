// Tests of a comparison's outcome in plain words.
#include "core/study/outcome/run_outcome.h"

#include <gtest/gtest.h>

#include "core/study/run_comparison.h"
#include "importers/registry/open_trace.h"
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
    EXPECT_EQ(samples("r5-flan-t5-xl").verdict().headline,
        "The fix removed two of three copies of the model (10.62 GiB); the run now completes at 23.67 GiB. "
        "Before, it died in step 1 at 30.57 GiB.");
}

TEST(RunOutcome, TellsWhatIsSavedAtEqualStepsWhereBothRunsFailed)
{
    EXPECT_EQ(samples("r1-grpo").verdict().headline,
        "Both runs filled the GPU: 22.62 GiB in step 14 before, 22.65 GiB in step 20 after. At equal steps "
        "the fix saves 4.6–5.8 GiB, but memory still grows 0.96 GiB a step.");
}

TEST(RunOutcome, OfARunAndItselfIsNoDifference)
{
    const auto run = openTrace(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {})->trace;
    EXPECT_EQ(OutcomeOf(run, run).verdict().headline,
        "Both runs filled the GPU: 22.62 GiB in step 14 before, 22.62 GiB in step 14 after. At equal steps "
        "the peaks are the same, and memory still grows 1.07 GiB a step.");
}

TEST(RunOutcome, IsTheSameWhateverTheRowsAreGroupedBy)
{
    const OutcomeOf runs = samples("r1-grpo");
    EXPECT_EQ(runs.verdict(GroupKey::Site).headline, runs.verdict(GroupKey::Category).headline);
}

TEST(RunOutcome, KeepsTheFiguresOfTheDifferenceAsTheFirstDetail)
{
    EXPECT_EQ(samples("r5-flan-t5-xl").verdict().details.at(0),
        "The peak fell by 6.91 GiB (23%), from 30.57 GiB to 23.67 GiB.");
}

TEST(RunOutcome, LeavesTheFiguresAloneWhereNeitherRunFailsOrGrows)
{
    const OutcomeOf runs(traceFromText("alloc a 2KiB\nfree a\n"), traceFromText(kSmall));
    EXPECT_EQ(runs.verdict().headline, "The peak fell by 1 KiB (50%), from 2 KiB to 1 KiB.");
}

TEST(RunOutcome, SaysThatTheRunAfterFailsAndTheOneBeforeDidNot)
{
    EXPECT_EQ(OutcomeOf(traceFromText(kSmall), traceFromText(kFails)).verdict().headline,
        "The run after ran out of memory at 3 GiB; the run before peaked at 1 KiB and did not.");
}

TEST(RunOutcome, DoesNotSayThatARunCompletesWhoseStepsAreNotKnown)
{
    EXPECT_EQ(OutcomeOf(traceFromText(kFails), traceFromText(kSmall)).verdict().headline,
        "The fix lowers the peak by 3 GiB; the run no longer runs out of memory and peaks at 1 KiB. "
        "Before, it died at 3 GiB.");
}

TEST(RunOutcome, CallsNoCopyRemovedWhereTheModelIsOnlyMadeElsewhere)
{
    ComparedEnds ends;
    DiffFindings found;
    const ExtraModelCopy gone{.rows = {0}, .blocks = 2, .bytes = 100, .isGone = true};
    const ExtraModelCopy came{.rows = {1}, .blocks = 2, .bytes = 100, .isGone = false};
    found.causes.modelCopies = {gone, came};
    EXPECT_EQ(outcomeText(ends, found), "");
    found.causes.modelCopies = {gone};
    EXPECT_EQ(outcomeText(ends, found),
        "The change removed one of two copies of the model (100 B); the peak went from 0 B to 0 B.");
}

TEST(RunOutcome, IsSilentAboutOtherMomentsThanThePeaks)
{
    const OutcomeOf runs = samples("r5-flan-t5-xl");
    EXPECT_TRUE(runs.runs()
                    .diffAt(10, 10, GroupKey::Site)
                    .verdict.headline.starts_with("What is live at these moments"));
}

} // namespace highwater
