#include "core/table/step_tables.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

/// Returns steps whose peaks are their numbers in KiB, from 1.
StepTable stepsOf(std::int64_t count)
{
    StepTable table;
    table.source = StepSource::Frames;
    for (std::int64_t i = 0; i < count; ++i) {
        Step step;
        step.name = "step " + std::to_string(i);
        step.begin = i;
        step.end = i + 1;
        step.peakBytes = (i + 1) * 1024;
        step.peakEvent = i;
        step.source = StepSource::Frames;
        table.steps.push_back(step);
    }
    return table;
}

Table mainOf(const StepTable& steps, std::size_t most)
{
    return mainSteps(withoutColumns(stepTable({steps}), {"index"}), most);
}

} // namespace

TEST(StepTableOfCore, ShowsAllStepsWhereTheyAreFew)
{
    const Table table = mainOf(stepsOf(5), 4);
    EXPECT_EQ(table.rows.size(), 5u);
    EXPECT_EQ(table.leftOut, "");
}

TEST(StepTableOfCore, ShowsTheFirstAndTheHighestOfManyAndSaysHowManyAreLeftOut)
{
    const Table table = mainOf(stepsOf(10), 4);
    ASSERT_EQ(table.rows.size(), 4u);
    EXPECT_EQ(cellText(table.rows[1][0]), "step 1");
    EXPECT_EQ(cellText(table.rows[2][0]), "step 8");
    EXPECT_EQ(cellText(table.rows[3][1]), "10 KiB");
    EXPECT_EQ(table.leftOut, "6 steps are left out: after the first 2, only the highest are shown");
}

TEST(StepTableOfCore, SaysWhyOnlyTheLastStepHasNoFigureOfWhatItLeftBehind)
{
    StepTable steps = stepsOf(2);
    steps.steps[0].leftBehindBytes = 0;
    const Table table = mainOf(steps, 4);
    EXPECT_EQ(tipText(table.rows[0][2]), "");
    EXPECT_EQ(cellText(table.rows[1][2]), "–");
    EXPECT_NE(tipText(table.rows[1][2]), "");
}

TEST(StepTableOfCore, SaysThatAStepIsCutOffAndWhereItComesFrom)
{
    StepTable steps = stepsOf(1);
    steps.steps[0].isComplete = false;
    steps.steps[0].source = StepSource::Log;
    const Table table = mainOf(steps, 4);
    EXPECT_EQ(cellText(table.rows[0][0]), "step 0 (cut off)");
    EXPECT_EQ(cellText(table.rows[0].back()), "from the log");
}

TEST(StepPairTable, HasDashesForAStepWithoutAPartner)
{
    const StepTable before = stepsOf(2);
    const StepTable after = stepsOf(1);
    AlignedSteps aligned;
    aligned.pairs = {{0, 0}, {1, std::nullopt}};
    const Table table = stepPairTable(before, after, aligned, 10);
    EXPECT_EQ(cellText(table.rows[0].back()), "0 B");
    EXPECT_EQ(cellText(table.rows[1][2]), "–");
    EXPECT_EQ(cellText(table.rows[1].back()), "–");
}

TEST(StepPairTable, SaysHowTheStepsArePairedAsTheFigureDoes)
{
    AlignedSteps aligned{StepAlignment::Index, {{0, 0}}};
    EXPECT_EQ(stepPairTable(stepsOf(1), stepsOf(1), aligned, 10).caption, "Peaks of steps, paired in order");
}

} // namespace highwater
