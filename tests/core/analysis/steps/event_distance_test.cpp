#include "core/analysis/steps/event_distance.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Returns three steps of ten events with their peaks at the given events.
StepTable threeSteps(std::int64_t first, std::int64_t second, std::int64_t third)
{
    StepTable table;
    const std::int64_t peaks[] = {first, second, third};
    for (int i = 0; i < 3; ++i) {
        Step step;
        step.begin = 10 * i;
        step.end = 10 * (i + 1);
        step.peakEvent = peaks[i];
        table.steps.push_back(step);
    }
    return table;
}

} // namespace

TEST(EventDistance, CountsEventsAndSteps)
{
    const auto trace = test::traceFromText("alloc a 512\nend");
    EXPECT_EQ(distanceText(*trace, 0, threeSteps(5, 15, 25), 4, 25), "21 events and 2 steps");
    EXPECT_EQ(distanceText(*trace, 0, threeSteps(5, 15, 25), 4, 5), "1 event");
}

TEST(EventDistance, HasTheTimeIfTheFileHasIt)
{
    const auto trace = test::traceFromText("alloc a 512 t=1000\nalloc b 512 t=3000\nend");
    EXPECT_EQ(distanceText(*trace, 0, {}, 0, 1), "1 event and 2 ms");
}

TEST(NeighbourEvent, StaysInTheRecording)
{
    EXPECT_EQ(neighbourEvent(5, 1, 7), 6);
    EXPECT_EQ(neighbourEvent(6, 1, 7), 6);
    EXPECT_EQ(neighbourEvent(0, -1, 7), 0);
}

TEST(NeighbourStepPeak, IsThePeakOfTheNextOrPreviousStep)
{
    const StepTable steps = threeSteps(5, 15, 25);
    EXPECT_EQ(neighbourStepPeak(steps, 12, 1), 25);
    EXPECT_EQ(neighbourStepPeak(steps, 12, -1), 5);
    EXPECT_EQ(neighbourStepPeak(steps, 25, 1), 25);
}

/// A peak before the first event of its step is in the step before, from which the same step would be next.
TEST(NeighbourStepPeak, AlwaysLeavesTheStep)
{
    EXPECT_EQ(neighbourStepPeak(threeSteps(5, 9, 25), 9, 1), 10);
}

} // namespace highwater
