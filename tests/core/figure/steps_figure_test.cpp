#include "core/figure/steps_figure.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

std::vector<Step> stepsThatReach(const std::vector<Bytes>& peaks)
{
    std::vector<Step> steps;
    for (const Bytes peak : peaks) {
        steps.emplace_back();
        steps.back().name = "step";
        steps.back().peakBytes = peak;
    }
    return steps;
}

} // namespace

TEST(StepsFigure, BeginsTheAxisOfDifferencesBelowTheLowestPeak)
{
    EXPECT_EQ(beginOfDifferences(stepsThatReach({96, 90, 99})), 87);
}

TEST(StepsFigure, BeginsTheAxisAtZeroWhereThatShowsTheDifferences)
{
    EXPECT_EQ(beginOfDifferences(stepsThatReach({30, 90, 99})), 0);
    EXPECT_EQ(beginOfDifferences(stepsThatReach({90, 90})), 0);
}

TEST(StepsFigure, IgnoresTheRemainderForTheAxis)
{
    std::vector<Step> steps = stepsThatReach({96, 90, 99, 10});
    steps.back().name = Step::kRemainder;
    EXPECT_EQ(beginOfDifferences(steps), 87);
}

} // namespace highwater
