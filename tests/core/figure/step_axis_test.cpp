#include "core/figure/step_axis.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

using Labels = std::vector<std::string>;

/// One bar for each of the named steps.
Ticks ticksOf(const std::vector<std::string>& names)
{
    std::vector<Step> steps;
    std::vector<StepBar> bars;
    for (std::size_t i = 0; i < names.size(); ++i) {
        steps.emplace_back().name = names[i];
        bars.push_back({.first = i, .last = i + 1, .shown = i});
    }
    return stepTicks(steps, bars, static_cast<int>(names.size()));
}

} // namespace

TEST(StepTicks, NumberStepsAsTheirNamesDo)
{
    const Ticks ticks = ticksOf({"ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3"});
    EXPECT_EQ(ticks.labels, (Labels{"1", "2", "3"}));
    EXPECT_EQ(ticks.positions, (std::vector{0.5, 1.5, 2.5}));
}

TEST(StepTicks, LeaveOutWarmUpAndRemainder)
{
    EXPECT_EQ(ticksOf({"warm-up", "step 0", "step 1", "remainder"}).labels, (Labels{"0", "1"}));
}

TEST(StepTicks, NumberStepsWithoutNumbersByTheirOrder)
{
    EXPECT_EQ(ticksOf({"train", "train", "train"}).labels, (Labels{"0", "1", "2"}));
}

} // namespace highwater
