#include <gtest/gtest.h>

#include "core/figure/layout/step_bars.h"

namespace highwater {
namespace {

std::vector<Step> stepsWithPeaks(const std::vector<Bytes>& peaks)
{
    std::vector<Step> steps(peaks.size());
    for (std::size_t i = 0; i < peaks.size(); ++i)
        steps[i].peakBytes = peaks[i];
    return steps;
}

TEST(StepBars, givesEachStepItsOwnBarWhereThereIsRoom)
{
    const std::vector<StepBar> bars = stepBars(stepsWithPeaks({5, 9, 7}), 0, 3, 3);
    EXPECT_EQ(bars, (std::vector<StepBar>{{0, 1, 0}, {1, 2, 1}, {2, 3, 2}}));
}

TEST(StepBars, showsTheHighestOfTheStepsThatShareABar)
{
    const std::vector<StepBar> bars = stepBars(stepsWithPeaks({5, 9, 7, 8}), 0, 4, 2);
    EXPECT_EQ(bars, (std::vector<StepBar>{{0, 2, 1}, {2, 4, 3}}));
}

TEST(StepBars, showsTheEarliestOfEqualSteps)
{
    EXPECT_EQ(stepBars(stepsWithPeaks({4, 6, 6}), 0, 3, 1).front().shown, 1u);
}

TEST(StepBars, knowTheLowestAndTheMedianOfTheirSteps)
{
    const std::vector<Step> steps = stepsWithPeaks({5, 9, 7, 8, 6});
    EXPECT_EQ(peakSpread(steps, {0, 5, 1}), (PeakSpread{5, 7}));
    EXPECT_EQ(peakSpread(steps, {1, 2, 1}), (PeakSpread{9, 9}));
}

TEST(StepBars, leaveIncompleteStepsOutOfTheirSpread)
{
    std::vector<Step> steps = stepsWithPeaks({5, 9, 1});
    steps[2].isComplete = false;
    EXPECT_EQ(peakSpread(steps, {0, 3, 1}), (PeakSpread{5, 7}));
    EXPECT_EQ(peakSpread(steps, {2, 3, 2}), (PeakSpread{1, 1}));
}

TEST(StepBars, countsSharedStepsFromTheFirstOfAllSoThatBarsStayWhileMoving)
{
    const std::vector<Step> steps = stepsWithPeaks(std::vector<Bytes>(100, 1));
    const std::vector<StepBar> bars = stepBars(steps, 13, 53, 4);
    ASSERT_EQ(bars.size(), 5u);
    EXPECT_EQ(bars[0], (StepBar{13, 20, 13}));
    EXPECT_EQ(bars[1], (StepBar{20, 30, 20}));
    EXPECT_EQ(bars[4], (StepBar{50, 53, 50}));
}

TEST(StepBars, leaveOutWhatFollowsTheLastStepWhereStepsShareBars)
{
    std::vector<Step> steps = stepsWithPeaks({5, 9, 7, 8, 1});
    steps.back().name = Step::kRemainder;
    EXPECT_EQ(stepBars(steps, 0, 5, 3), (std::vector<StepBar>{{0, 2, 1}, {2, 4, 3}}));
    EXPECT_EQ(stepBars(steps, 0, 5, 5).size(), 5u);
    steps.back().peakBytes = 10;
    EXPECT_EQ(stepBars(steps, 0, 5, 3).back(), (StepBar{4, 5, 4}));
}

TEST(StepBars, ShareARoundNumberOfSteps)
{
    const std::vector<Step> steps = stepsWithPeaks(std::vector<Bytes>(1000, 1));
    EXPECT_EQ(stepBars(steps, 0, 1000, 39).front(), (StepBar{0, 50, 0}));
}

TEST(StepBars, coverEveryStepInViewOnceAndNeverLoseTheHighest)
{
    std::vector<Bytes> peaks;
    for (std::size_t i = 0; i < 1000; ++i)
        peaks.push_back(static_cast<Bytes>((i * 7919) % 1009));
    const std::vector<Step> steps = stepsWithPeaks(peaks);
    for (std::size_t most = 1; most < 1100; most += 37) {
        const std::vector<StepBar> bars = stepBars(steps, 100, 900, most);
        EXPECT_LE(bars.size(), most + 1);
        std::size_t next = 100;
        Bytes highest = 0;
        for (const StepBar& bar : bars) {
            EXPECT_EQ(bar.first, next);
            next = bar.last;
            highest = std::max(highest, peaks[bar.shown]);
        }
        EXPECT_EQ(next, 900u);
        EXPECT_EQ(highest, *std::max_element(peaks.begin() + 100, peaks.begin() + 900));
    }
}

TEST(StepBars, areNoneForNoSteps)
{
    EXPECT_TRUE(stepBars({}, 0, 5, 10).empty());
}

} // namespace
} // namespace highwater
