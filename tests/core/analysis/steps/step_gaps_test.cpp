// Tests of steps that overlap, and of steps from another source where the best one has a gap.
#include <gtest/gtest.h>

#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/steps.h"
#include "core/base/text_parts.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

const std::string kGapStacks = R"(
stack forward = /x/torch/nn/modules/module.py:1 _call_impl | /work/train.py:5 main
stack backward = engine:0 torch::autograd::Engine::thread_main()
stack step = /x/torch/optim/adamw.py:3 step | /work/train.py:8 main
)";

StepTable stepsOf(const std::string& text, const StepRequest& request = {})
{
    const std::shared_ptr<const Trace> trace = test::traceFromText(kGapStacks + text + "end");
    const AllocationTable allocations(*trace, 0);
    const UsageCurve curve(*trace, allocations);
    return findSteps(*trace, allocations, curve, findPhases(AllocationTable(*trace, 0)), request);
}

/// Returns a training step of ten microseconds with four events.
std::string step(int number)
{
    const std::string n = std::to_string(number);
    const auto at = [number](int offset) { return " t=" + std::to_string(10 * number + offset) + "\n"; };
    return "alloc a" + n + " 100 @forward" + at(1) + "alloc b" + n + " 50 @backward" + at(3) + "free_once a"
        + n + " @backward" + at(4) + "alloc c" + n + " 10 @step" + at(6);
}

std::string steps(int first, int last)
{
    std::string text;
    for (int i = first; i < last; ++i)
        text += step(i);
    return text;
}

std::string annotation(const std::string& name, int begin, int end)
{
    return "annotation " + name + " " + std::to_string(begin) + " " + std::to_string(end) + "\n";
}

std::string profiler(int first, int last)
{
    std::string text;
    for (int i = first; i < last; ++i)
        text += annotation("ProfilerStep#" + std::to_string(i), 10 * i, 10 * i + 9);
    return text;
}

std::string optimizers(int first, int last)
{
    std::string text;
    for (int i = first; i < last; ++i)
        text += annotation("Optimizer.step#AdamW.step", 10 * i + 5, 10 * i + 8);
    return text;
}

/// Returns lines with "name by source ends-at" and a mark for incomplete steps.
std::vector<std::string> stepLines(const StepTable& table)
{
    std::vector<std::string> lines;
    for (const Step& one : table.steps)
        lines.push_back(one.name + " by " + std::string(toText(one.source)) + " to " + std::to_string(one.end)
            + (one.isComplete ? "" : " incomplete"));
    return lines;
}

using Lines = std::vector<std::string>;

} // namespace

TEST(OverlappingSteps, OfTheProfilerAreOrderedByTheirBegins)
{
    std::string text;
    for (int i = 0; i < 5; ++i)
        text += annotation("ProfilerStep#" + std::to_string(i), 10 * i, 10 * i + 11); // 1 µs into the next
    EXPECT_EQ(stepLines(stepsOf(text + steps(0, 5))),
        (Lines{"ProfilerStep#0 by profiler-step to 4", "ProfilerStep#1 by profiler-step to 8",
            "ProfilerStep#2 by profiler-step to 12", "ProfilerStep#3 by profiler-step to 16",
            "ProfilerStep#4 by profiler-step to 20"}));
}

TEST(OverlappingSteps, ThatTwoThreadsWriteAreOne)
{
    const std::string text = annotation("ProfilerStep#0", 0, 9) + annotation("ProfilerStep#0", 1, 10)
        + annotation("ProfilerStep#1", 10, 19) + annotation("ProfilerStep#1", 12, 20);
    EXPECT_EQ(stepLines(stepsOf(text + steps(0, 2))),
        (Lines{"ProfilerStep#0 by profiler-step to 4", "ProfilerStep#1 by profiler-step to 8"}));
}

TEST(OverlappingSteps, OfTheUserAreOrderedByTheirBegins)
{
    std::string text;
    for (int i = 0; i < 4; ++i)
        text += annotation("iteration", 10 * i, 10 * i + 11);
    EXPECT_EQ(stepLines(stepsOf(text + steps(0, 4))),
        (Lines{"iteration 0 by nvtx to 4", "iteration 1 by nvtx to 8", "iteration 2 by nvtx to 12",
            "iteration 3 by nvtx to 16"}));
    EXPECT_EQ(stepsOf(annotation("iteration", 0, 9) + annotation("iteration", 1, 10)
                  + annotation("iteration", 10, 19) + annotation("iteration", 12, 20) + steps(0, 2))
                  .steps.size(),
        2u);
}

TEST(ProfilerOfPartOfTheRun, LeavesTheRestToTheOptimizersAnnotations)
{
    const StepTable table = stepsOf(profiler(2, 4) + optimizers(0, 6) + steps(0, 6));
    EXPECT_EQ(stepLines(table),
        (Lines{"step 0 by optimizer-annotation to 4", "step 1 by optimizer-annotation to 8",
            "ProfilerStep#2 by profiler-step to 12", "ProfilerStep#3 by profiler-step to 16",
            "step 4 by optimizer-annotation to 20", "step 5 by optimizer-annotation to 24"}));
    EXPECT_EQ(table.source, StepSource::ProfilerStep);
    EXPECT_TRUE(test::hasParts(table.reason, {"ProfilerStep annotations", "Optimizer.step annotations"}));
}

TEST(ProfilerOfPartOfTheRun, LeavesTheRestToTheFramesOfOptimizers)
{
    const StepTable table = stepsOf(profiler(2, 4) + steps(0, 6));
    EXPECT_EQ(table.steps.size(), 6u);
    EXPECT_EQ(table.steps[1].source, StepSource::Frames);
    EXPECT_EQ(table.steps[1].grade, Grade::B);
    EXPECT_EQ(table.steps[2].grade, Grade::A);
    EXPECT_EQ(table.grade, Grade::B);
}

TEST(ProfilerOfPartOfTheRun, CanCoverItInSeveralWindows)
{
    EXPECT_EQ(stepLines(stepsOf(profiler(1, 2) + profiler(4, 5) + optimizers(0, 6) + steps(0, 6))),
        (Lines{"step 0 by optimizer-annotation to 4", "ProfilerStep#1 by profiler-step to 8",
            "step 2 by optimizer-annotation to 12", "step 3 by optimizer-annotation to 16",
            "ProfilerStep#4 by profiler-step to 20", "step 5 by optimizer-annotation to 24"}));
}

TEST(ProfilerOfPartOfTheRun, LeavesAStepThatTheTraceEndsInIncomplete)
{
    EXPECT_EQ(
        stepLines(stepsOf(profiler(0, 2) + optimizers(0, 3) + steps(0, 3) + "alloc z 9 @forward t=40\n"))
            .back(),
        "step 3 by optimizer-annotation to 13 incomplete");
}

TEST(ProfilerOfPartOfTheRun, SaysHowItsStepsWereFoundAndWhichIsIncomplete)
{
    const StepTable table
        = stepsOf(profiler(0, 2) + optimizers(0, 3) + steps(0, 3) + "alloc z 9 @forward t=40\n");
    EXPECT_EQ(table.countText(), "4 steps; the last is incomplete");
    EXPECT_EQ(table.foundText(),
        "4 steps, from the ProfilerStep annotations, elsewhere from the Optimizer.step annotations; the last "
        "is incomplete");
}

TEST(ProfilerOfPartOfTheRun, DoesNotCallTheRestItsLastStepWhereNothingTellsIt)
{
    const std::string unknown = "alloc y 100 @forward t=31\nalloc z 50 @backward t=33\n";
    EXPECT_EQ(stepLines(stepsOf(profiler(0, 2)
                  + "alloc a 100 @forward t=1\nfree_once a t=2\nalloc b 70 @forward t=11\n" + unknown)),
        (Lines{"ProfilerStep#0 by profiler-step to 2", "ProfilerStep#1 by profiler-step to 3",
            "remainder by profiler-step to 5 incomplete"}));
}

TEST(ProfilerOfPartOfTheRun, CoversTheRestWithAStepThatIsOpenAtItsEnd)
{
    const StepTable table
        = stepsOf(profiler(0, 2) + "annotation ProfilerStep#2 20\n" + optimizers(0, 3) + steps(0, 4));
    EXPECT_EQ(stepLines(table),
        (Lines{"ProfilerStep#0 by profiler-step to 4", "ProfilerStep#1 by profiler-step to 8",
            "ProfilerStep#2 by profiler-step to 16 incomplete"}));
    EXPECT_TRUE(test::hasParts(table.reason, {"ProfilerStep annotations"}));
    EXPECT_FALSE(contains(table.reason, "Optimizer.step")) << table.reason;
}

TEST(ProfilerOfPartOfTheRun, IsTakenAloneWhereItWasAskedFor)
{
    const StepTable table
        = stepsOf(profiler(2, 4) + optimizers(0, 6) + steps(0, 6), {StepSource::ProfilerStep, {}, {}});
    EXPECT_EQ(stepLines(table),
        (Lines{"warm-up by profiler-step to 8", "ProfilerStep#2 by profiler-step to 12",
            "ProfilerStep#3 by profiler-step to 24"}));
}

TEST(RangesOfPartOfTheRun, LeaveTheRestToTheNextSource)
{
    const std::string ranges = annotation("train_step_2", 20, 29) + annotation("train_step_3", 30, 39);
    const StepTable table = stepsOf(ranges + steps(0, 6));
    EXPECT_EQ(stepLines(table),
        (Lines{"step 0 by frames to 4", "step 1 by frames to 8", "train_step_2 by nvtx to 12",
            "train_step_3 by nvtx to 16", "step 4 by frames to 20", "step 5 by frames to 24"}));
}

TEST(RangesOfPartOfTheRun, ThatCoverPartOfEveryStepStayTheSteps)
{
    std::string ranges;
    for (int i = 0; i < 4; ++i)
        ranges += annotation("step_" + std::to_string(i), 10 * i, 10 * i + 2); // covers only its forward
    const StepTable table = stepsOf(ranges + steps(0, 4));
    EXPECT_EQ(stepLines(table),
        (Lines{
            "step_0 by nvtx to 4", "step_1 by nvtx to 8", "step_2 by nvtx to 12", "step_3 by nvtx to 16"}));
}

} // namespace highwater
