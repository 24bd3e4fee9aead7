#include <gtest/gtest.h>

#include "core/analysis/detectors/rules.h"
#include "tests/support/import_bytes.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Returns a series of the bytes allocated at each step.
template <typename BytesAt>
CounterSeries levels(int steps, BytesAt bytesAt)
{
    CounterSeries series;
    series.name = "mem_alloc";
    series.metric = "allocated";
    series.unit = "bytes";
    for (int step = 0; step < steps; ++step) {
        series.step.push_back(step);
        series.value.push_back(static_cast<double>(bytesAt(step)));
    }
    return series;
}

template <typename BytesAt>
std::vector<Finding> growthIn(int steps, BytesAt bytesAt)
{
    auto log = std::make_shared<Trace>();
    log->counters.push_back(levels(steps, bytesAt));
    DetectorInput input;
    input.auxiliaryFiles.push_back({"run.log", log});
    return findGrowthInLog(input);
}

} // namespace

TEST(GrowthInLog, IsFoundBehindTheWarmUp)
{
    const auto found
        = growthIn(20, [](int step) { return 1'000'000 + 1000 * step + (step < 3 ? -500'000 : 0); });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].bytes, 15'000) << "from step 4 to step 19";
    EXPECT_TRUE(test::hasParts(found[0].title, {"1000 B per step", "14.65 KiB over 15 steps", "mem_alloc"}));
}

TEST(GrowthInLog, IsOfTheSeriesThatGrowMostWhereThereAreMany)
{
    auto log = std::make_shared<Trace>();
    for (int i = 0; i < 100; ++i)
        log->counters.push_back(
            levels(20, [i](int step) { return 1'000'000 + (i * 37 % 100 + 1) * 1000 * step; }));
    DetectorInput input;
    input.auxiliaryFiles.push_back({"run.tfevents", log});
    const auto found = findGrowthInLog(input);
    ASSERT_EQ(found.size(), 64u);
    EXPECT_EQ(found.front().bytes, 100 * 15'000);
    EXPECT_EQ(found.back().bytes, 37 * 15'000);
}

TEST(GrowthInLog, IsNoneWhereTheLevelHolds)
{
    EXPECT_TRUE(growthIn(20, [](int) { return 1'000'000; }).empty());
    EXPECT_TRUE(growthIn(20, [](int step) { return 1'000'000 + 50'000 * (step % 2); }).empty());
}

TEST(GrowthInLog, IsNoneWhereItStops)
{
    EXPECT_TRUE(growthIn(40, [](int step) { return 1'000'000 + 10'000 * std::min(step, 20); }).empty());
}

TEST(GrowthInLog, IsFoundInTurnsOfACriticAndItsGenerator)
{
    const auto found = growthIn(
        60, [](int step) { return 1'000'000 + (step % 2 == 0 ? 500'000 : 0) + 20'000 * (step / 2); });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].title, {"9.77 KiB per step"}));
    EXPECT_TRUE(test::hasParts(found[0].evidence.back().sentence, {"turns of 2 steps"}));
}

TEST(GrowthInLog, OfAPeakIsFoundWhereItRisesEverySecondStep)
{
    auto log = std::make_shared<Trace>();
    log->counters.push_back(levels(60, [](int step) { return 1'000'000 + 20'000 * (step / 2); }));
    log->counters.back().metric = "allocated_peak";
    DetectorInput input;
    input.auxiliaryFiles.push_back({"run.log", log});
    EXPECT_EQ(findGrowthInLog(input).size(), 1u);
}

TEST(GrowthInLog, IsNoneWhereOneTurnHolds)
{
    EXPECT_TRUE(
        growthIn(60, [](int step) { return step % 2 == 0 ? 5'000'000 : 1'000'000 + 20'000 * step; }).empty());
}

TEST(GrowthInLog, NeedsTenPointsBehindTheWarmUp)
{
    const auto rising = [](int step) { return 1'000'000 + 10'000 * step; };
    EXPECT_TRUE(growthIn(11, rising).empty());
    EXPECT_FALSE(growthIn(12, rising).empty());
}

TEST(GrowthInLog, OfFewPointsThatAllRiseIsAQuestion)
{
    const auto found = growthIn(6, [](int step) { return 1'000'000 + 980'000 * step; });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].grade, Grade::C);
    EXPECT_TRUE(growthIn(6, [](int step) { return 1'000'000 + 980'000 * (step % 3); }).empty());
}

TEST(GrowthInLog, IsSilentOfEveryRealLog)
{
    for (const char* name : {"logs/megatron-bridge-llama7b.txt", "logs/torchtitan-steps-run100.log",
             "logs/torchtitan-steps-run105.log", "logs/llama-factory-deepspeed.out",
             "tensorboard/verl-q7b-mcore-off.tfevents", "tensorboard/torchtitan-10steps.tfevents"}) {
        const auto path = test::realFilePath(name);
        SKIP_WITHOUT_REAL_FILE(path);
        const auto imported = openTrace(*path, {});
        ASSERT_TRUE(imported) << name;
        DetectorInput input;
        input.auxiliaryFiles.push_back({name, imported->trace});
        EXPECT_TRUE(findGrowthInLog(input).empty()) << name;
    }
}

} // namespace highwater
