#include "core/analysis/steps/step_table.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

/// Three steps of ten events each.
StepTable threeProfilerSteps()
{
    StepTable table;
    table.source = StepSource::ProfilerStep;
    for (std::int64_t begin = 0; begin < 30; begin += 10) {
        Step& step = table.steps.emplace_back();
        step.begin = begin;
        step.end = begin + 10;
    }
    return table;
}

PhaseRange forward(std::int64_t begin, std::int64_t end)
{
    return {begin, end, Phase::Forward, Grade::B};
}

} // namespace

TEST(StepTable, SaysThatItsOwnNumbersAreNotThoseOfARunWhoseStartIsLost)
{
    StepTable table;
    table.source = StepSource::Frames;
    table.steps.push_back({.name = "step 0", .begin = 0, .end = 10, .source = StepSource::Frames});
    table.steps.push_back(
        {.name = "ProfilerStep#7", .begin = 10, .end = 20, .source = StepSource::ProfilerStep});
    EXPECT_EQ(table.placeText(3), "in step 0");
    table.startsLate = true;
    EXPECT_EQ(table.placeText(3), "in step 0 of the recording");
    EXPECT_EQ(table.placeText(13), "in ProfilerStep#7") << "the profiler counts from the run's start";
}

TEST(PhasesWithinSteps, DivideAPhaseThatContainsAWholeStepAndMore)
{
    EXPECT_EQ(phasesWithinSteps(PhaseTable({forward(0, 30)}), threeProfilerSteps()),
        (std::vector{forward(0, 10), forward(10, 20), forward(20, 30)}));
    EXPECT_EQ(phasesWithinSteps(PhaseTable({forward(4, 24)}), threeProfilerSteps()),
        (std::vector{forward(4, 10), forward(10, 20), forward(20, 24)}));
}

TEST(PhasesWithinSteps, KeepAPhaseThatEndsInTheNextStep)
{
    EXPECT_EQ(
        phasesWithinSteps(PhaseTable({forward(4, 13)}), threeProfilerSteps()), (std::vector{forward(4, 13)}));
}

TEST(PhasesWithinSteps, KeepAPhaseThatIsOneStep)
{
    EXPECT_EQ(phasesWithinSteps(PhaseTable({forward(10, 20)}), threeProfilerSteps()),
        (std::vector{forward(10, 20)}));
}

} // namespace highwater
