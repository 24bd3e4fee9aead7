#include "core/analysis/steps/growth.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

StepTable stepsEndingAt(const std::vector<Bytes>& ends)
{
    StepTable table;
    table.source = StepSource::ProfilerStep;
    for (const Bytes end : ends) {
        Step step;
        step.name = "step " + std::to_string(table.steps.size());
        step.endBytes = end;
        table.steps.push_back(step);
    }
    return table;
}

} // namespace

TEST(Growth, IsTheSlopeOfTheEndsAfterTwoStepsOfWarmUp)
{
    const auto growth = growthPerStep(stepsEndingAt({0, 5000, 6000, 6100, 6200, 6300}));
    ASSERT_TRUE(growth);
    EXPECT_EQ(growth->bytesPerStep, 100);
    EXPECT_EQ(growth->firstStep, 2u);
    EXPECT_EQ(growth->lastStep, 6u);
}

TEST(Growth, IsNotMovedByOneStepOutOfLine)
{
    EXPECT_EQ(growthPerStep(stepsEndingAt({0, 0, 100, 200, 90'000, 400, 500, 600}))->bytesPerStep, 100);
}

TEST(Growth, IsNegativeWhereMemoryShrinks)
{
    EXPECT_EQ(growthPerStep(stepsEndingAt({0, 0, 300, 200, 100}))->bytesPerStep, -100);
}

TEST(Growth, IsNothingForFewerThanThreeStepsAfterTheWarmUp)
{
    EXPECT_FALSE(growthPerStep(stepsEndingAt({0, 0, 100, 200})));
    EXPECT_FALSE(growthPerStep(stepsEndingAt({})));
}

TEST(Growth, IsNothingWhereNothingTellsStepsApart)
{
    StepTable table = stepsEndingAt({0, 0, 100, 200, 300});
    table.source = StepSource::Whole;
    EXPECT_FALSE(growthPerStep(table));
}

TEST(Growth, LeavesOutWhatTheTraceCutsOffAndWhatStandsBeforeTheFirstMarker)
{
    StepTable table = stepsEndingAt({0, 1, 2, 10, 20, 30, 9999});
    table.steps.front().name = "warm-up";
    table.steps.back().isComplete = false;
    const auto growth = growthPerStep(table);
    ASSERT_TRUE(growth);
    EXPECT_EQ(growth->bytesPerStep, 10);
    EXPECT_EQ(growth->firstStep, 3u);
    EXPECT_EQ(growth->lastStep, 6u);
}

TEST(Growth, HoldsForManySteps)
{
    std::vector<Bytes> ends;
    for (Bytes i = 0; i < 50'000; ++i)
        ends.push_back(i % 10 == 0 ? 1'000'000'000 : i * 7);
    EXPECT_EQ(growthPerStep(stepsEndingAt(ends))->bytesPerStep, 7);
}

} // namespace highwater
