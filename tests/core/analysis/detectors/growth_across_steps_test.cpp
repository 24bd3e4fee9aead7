#include <fmt/format.h>

#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

/// Returns steps of 100 microseconds with a temporary of 1000 bytes. `leave` writes the allocations that a
/// step leaves behind.
template <typename Leave>
std::string stepsThatLeave(int count, Leave leave)
{
    std::string text = "stack work = train.py:7 work\nstack keep = train.py:9 keep\n";
    for (int step = 0; step < count; ++step) {
        const int begin = 100 * step + 100;
        text += fmt::format("annotation ProfilerStep#{} {} {}\n", step, begin, begin + 99);
        text += fmt::format("alloc temporary{0} 1000 @work t={1}\n", step, begin + 1);
        text += leave(step, begin + 2);
        text += fmt::format("free temporary{0} t={1}\n", step, begin + 50);
    }
    return text + "end\n";
}

std::string kept(int step, int time, Bytes bytes)
{
    return fmt::format("alloc kept{} {} @keep t={}\n", step, bytes, time);
}

std::vector<Finding> growthOf(const std::string& text)
{
    const test::DetectorCase tiny(text);
    return findGrowth(tiny.input);
}

} // namespace

TEST(GrowthAcrossSteps, IsFoundWithItsSlopeAndWhatIsHeldAtThePeak)
{
    const auto found = growthOf(stepsThatLeave(8, [](int step, int time) { return kept(step, time, 64); }));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, "growth");
    EXPECT_EQ(found[0].grade, Grade::A);
    EXPECT_EQ(found[0].bytes, 7 * 64) << "of seven steps before that of the peak";
    EXPECT_EQ(found[0].remedy.savedBytes, 7 * 64);
    EXPECT_TRUE(test::hasParts(found[0].title, {"64 B per step", "keep (train.py:9)", "448 B"}));
}

TEST(GrowthAcrossSteps, NamesTheStackThatMakesIt)
{
    const auto found = growthOf(stepsThatLeave(8, [](int step, int time) { return kept(step, time, 64); }));
    ASSERT_EQ(found.size(), 1u);
    const auto site = std::ranges::find_if(found[0].evidence,
        [](const Evidence& evidence) { return std::holds_alternative<AllocationsTarget>(evidence.target); });
    ASSERT_NE(site, found[0].evidence.end());
    EXPECT_EQ(std::get<AllocationsTarget>(site->target).allocations.size(), 7u);
    EXPECT_TRUE(test::hasParts(site->sentence, {"keep (train.py:9)", "64 B per step", "7 allocations"}));
}

TEST(GrowthAcrossSteps, IsFoundWhereEverySecondStepLeavesSomething)
{
    const auto found = growthOf(stepsThatLeave(
        14, [](int step, int time) { return step % 2 == 0 ? kept(step, time, 64) : std::string(); }));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].grade, Grade::B);
    EXPECT_EQ(found[0].bytes, 6 * 64);
}

TEST(GrowthAcrossSteps, IsNoBufferOfTheLastSteps)
{
    const auto buffer = [](int step, int time) {
        return kept(step, time, 64)
            + (step >= 6 ? fmt::format("free kept{} t={}\n", step - 6, time + 1) : std::string());
    };
    EXPECT_TRUE(growthOf(stepsThatLeave(20, buffer)).empty());
}

TEST(GrowthAcrossSteps, IsNoWarmUp)
{
    EXPECT_TRUE(growthOf(stepsThatLeave(8, [](int step, int time) {
        return step < 2 ? kept(step, time, 64) : std::string();
    })).empty());
}

TEST(GrowthAcrossSteps, IsNoCacheThatHasFilled)
{
    EXPECT_TRUE(growthOf(stepsThatLeave(10, [](int step, int time) {
        return step < 7 ? kept(step, time, 64) : std::string();
    })).empty());
}

TEST(GrowthAcrossSteps, IsNoTensorThatIsReplacedInEachStep)
{
    EXPECT_TRUE(growthOf(stepsThatLeave(8, [](int step, int time) {
        return kept(step, time, 64)
            + (step > 0 ? fmt::format("free kept{} t={}\n", step - 1, time + 1) : std::string());
    })).empty());
}

TEST(GrowthAcrossSteps, NeedsFourStepsAfterTheWarmUp)
{
    const auto leave = [](int step, int time) { return kept(step, time, 64); };
    EXPECT_TRUE(growthOf(stepsThatLeave(5, leave)).empty());
    EXPECT_FALSE(growthOf(stepsThatLeave(6, leave)).empty());
}

TEST(GrowthAcrossSteps, IsNotTheGrowthOfTheBatches)
{
    EXPECT_TRUE(growthOf(stepsThatLeave(8, [](int step, int time) {
        return fmt::format(
            "alloc longer{0} {1} @work t={2}\nfree longer{0} t={2}\n", step, 100 * (step + 1), time);
    })).empty());
}

} // namespace highwater
