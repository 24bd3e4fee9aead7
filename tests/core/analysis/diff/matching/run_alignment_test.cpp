#include "core/analysis/diff/matching/run_alignment.h"

#include <gtest/gtest.h>

#include "core/analysis/usage/allocations.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// A run with one allocation per microsecond, divided into steps of these lengths.
struct SteppedRun
{
    explicit SteppedRun(
        const std::vector<std::int64_t>& stepLengths, std::vector<PhaseRange> phaseRanges = {})
        : phases(std::move(phaseRanges))
    {
        std::string text;
        std::int64_t event = 0;
        for (const std::int64_t length : stepLengths) {
            Step step;
            step.name = "step " + std::to_string(steps.steps.size());
            step.begin = event;
            step.end = event += length;
            steps.steps.push_back(step);
        }
        for (std::int64_t i = 0; i < event; ++i)
            text += "alloc a" + std::to_string(i) + " 1 t=" + std::to_string(100 + i) + "\n";
        trace = test::traceFromText(text + "end");
    }

    AlignmentInput input() const { return {*trace, 0, steps, phases}; }

    std::shared_ptr<const Trace> trace;
    StepTable steps;
    PhaseTable phases;
};

RunAlignment align(const SteppedRun& before, const SteppedRun& after, RunAxis axis)
{
    AlignedSteps steps;
    for (std::size_t i = 0; i < std::max(before.steps.steps.size(), after.steps.steps.size()); ++i)
        steps.pairs.push_back({i < before.steps.steps.size() ? std::optional(i) : std::nullopt,
            i < after.steps.steps.size() ? std::optional(i) : std::nullopt});
    return alignRuns(before.input(), after.input(), steps, axis);
}

} // namespace

TEST(RunAlignment, ByStepBeginsAndEndsStepsAtOnePlace)
{
    const RunAlignment aligned = align(SteppedRun({2, 10}), SteppedRun({4, 5}), RunAxis::Step);
    EXPECT_EQ(aligned.before.positionOf(2), 4); // the longer step of each pair has one place per event
    EXPECT_EQ(aligned.after.positionOf(4), 4);
    EXPECT_EQ(aligned.before.end(), 14);
    EXPECT_EQ(aligned.after.end(), 14);
    EXPECT_EQ(aligned.begin(), -1);
    ASSERT_EQ(aligned.marks.size(), 2u);
    EXPECT_EQ(aligned.marks[1].position, 4);
    EXPECT_EQ(aligned.marks[1].label, "step 1");
}

TEST(RunAlignment, ByStepLeavesRoomForAStepThatOnlyOneRunHas)
{
    const RunAlignment aligned = align(SteppedRun({2}), SteppedRun({2, 3}), RunAxis::Step);
    EXPECT_EQ(aligned.before.end(), 2);
    EXPECT_EQ(aligned.after.end(), 5);
    EXPECT_EQ(aligned.end(), 5);
    EXPECT_EQ(aligned.marks[1].label, "step 1");
}

TEST(RunAlignment, ByEqualStepsGivesAShortStepAsMuchRoomAsALongOne)
{
    const RunAlignment aligned = align(SteppedRun({2, 100}), SteppedRun({1000, 5}), RunAxis::EqualStep);
    ASSERT_EQ(aligned.marks.size(), 2u);
    EXPECT_EQ(aligned.axis, RunAxis::EqualStep);
    EXPECT_EQ(
        aligned.marks[1].position - aligned.marks[0].position, aligned.end() - aligned.marks[1].position);
    EXPECT_EQ(aligned.before.positionOf(2), aligned.after.positionOf(1000));
    EXPECT_EQ(aligned.afterEventFor(52), 1002); // middle of the second step
}

TEST(RunAlignment, FindsTheMomentOfTheOtherRun)
{
    const RunAlignment aligned = align(SteppedRun({2, 10}), SteppedRun({4, 5}), RunAxis::Step);
    EXPECT_EQ(aligned.afterEventFor(7), 6); // middle of the second step
    EXPECT_EQ(aligned.beforeEventFor(6), 6);
    EXPECT_EQ(aligned.afterEventFor(-1), -1);
    EXPECT_EQ(align(SteppedRun({2}), SteppedRun({2, 3}), RunAxis::Event).beforeEventFor(4), 1);
}

TEST(RunAlignment, ByPhaseBeginsPhasesAtOnePlaceToo)
{
    const SteppedRun before({10}, {{0, 2, Phase::Forward, Grade::A}, {2, 10, Phase::Backward, Grade::A}});
    const SteppedRun after({10}, {{0, 6, Phase::Forward, Grade::A}, {6, 10, Phase::Backward, Grade::A}});
    const RunAlignment aligned = align(before, after, RunAxis::Phase);
    EXPECT_EQ(aligned.before.positionOf(2), 6);
    EXPECT_EQ(aligned.after.positionOf(6), 6);
    EXPECT_EQ(aligned.end(), 14);
}

TEST(RunAlignment, ByPhaseKeepsStepsWholeThatRunThroughOtherPhases)
{
    const SteppedRun before({10}, {{0, 2, Phase::Forward, Grade::A}, {2, 10, Phase::Backward, Grade::A}});
    const SteppedRun after({10}, {{0, 6, Phase::Generation, Grade::A}, {6, 10, Phase::Backward, Grade::A}});
    EXPECT_EQ(align(before, after, RunAxis::Phase).before.positionOf(2), 2);
}

TEST(RunAlignment, OfTwoStepsBeginsBothAtZeroAndEndsWithTheLonger)
{
    const SteppedRun run({4, 10, 6});
    const RunAlignment aligned
        = alignTwoSteps(run.input(), run.steps.steps[2], run.input(), run.steps.steps[1]);
    EXPECT_EQ(aligned.begin(), 0);
    EXPECT_EQ(aligned.end(), 10);
    EXPECT_EQ(aligned.before.positionOf(14), 0);
    EXPECT_EQ(aligned.after.positionOf(4), 0);
    EXPECT_FALSE(aligned.before.covers(7)); // its step has ended
    EXPECT_EQ(aligned.before.eventAt(-1), 13);
    EXPECT_EQ(aligned.after.positionOf(14), 10); // the next step is out of view
    EXPECT_EQ(aligned.marks.size(), 1u);
}

TEST(RunAlignment, ByTimeCountsFromEachRunsFirstEvent)
{
    const SteppedRun before({3});
    const SteppedRun after({5});
    const RunAlignment aligned = align(before, after, RunAxis::Time);
    EXPECT_EQ(aligned.before.positionOf(2), 2000);
    EXPECT_EQ(aligned.after.positionOf(2), 2000);
    EXPECT_EQ(aligned.afterEventFor(1), 1);
    EXPECT_TRUE(aligned.marks.empty());
}

TEST(RunAlignment, GoesByEventWhereTheRunsHaveNoSteps)
{
    EXPECT_EQ(align(SteppedRun({}), SteppedRun({2}), RunAxis::Step).axis, RunAxis::Event);
    EXPECT_EQ(align(SteppedRun({1}), SteppedRun({2}), RunAxis::Phase).axis, RunAxis::Event);
}

TEST(RunAxis, IsWrittenAsItIsRead)
{
    for (const RunAxis axis :
        {RunAxis::Step, RunAxis::EqualStep, RunAxis::Phase, RunAxis::Time, RunAxis::Event})
        EXPECT_EQ(runAxisFromText(toText(axis)), axis);
    EXPECT_EQ(runAxisFromText("month"), std::nullopt);
}

} // namespace highwater
