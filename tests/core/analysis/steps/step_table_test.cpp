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
    for (const auto& [name, source] :
        {std::pair("step 0", StepSource::Frames), std::pair("ProfilerStep#7", StepSource::ProfilerStep)}) {
        Step& step = table.steps.emplace_back();
        step.name = name;
        step.source = source;
        step.begin = table.steps.size() == 1 ? 0 : 10;
        step.end = step.begin + 10;
    }
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
