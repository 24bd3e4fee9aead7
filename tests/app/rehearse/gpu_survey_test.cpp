#include "app/rehearse/gpu_survey.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/rehearse/gpu_prices.h"
#include "core/analysis/budget/gpu_fit.h"
#include "tests/support/snapshot_builder.h"

namespace highwater::rehearse {

namespace {

constexpr Address kFirst = 64 * kMiB;
constexpr Address kSecond = 256 * kMiB;

/// 40 MiB are reserved, used and cached; then 60 MiB more are reserved. 100 MiB together, 60 MiB in use.
std::shared_ptr<const Trace> withCache()
{
    return test::SnapshotBuilder()
        .filled(kFirst, 40 * kMiB)
        .free(kFirst, 40 * kMiB)
        .filled(kSecond, 60 * kMiB)
        .segment(kFirst, {{40 * kMiB, 0}})
        .segment(kSecond, {{60 * kMiB, 60 * kMiB}})
        .finish();
}

Fit fitOfCache(Bytes least, Bytes most)
{
    const auto trace = withCache();
    return DeviceDemand(*trace, 0).fitWithin({least, most}, most);
}

} // namespace

TEST(DeviceDemand, FitsWhereTheReservedBytesFit)
{
    EXPECT_EQ(fitOfCache(100 * kMiB, 110 * kMiB), Fit::Fits);
}

TEST(DeviceDemand, FitsWhereReturningCachedMemoryMakesRoom)
{
    EXPECT_EQ(fitOfCache(70 * kMiB, 80 * kMiB), Fit::Fits);
}

TEST(DeviceDemand, IsTooCloseWhereOnlyTheBestMachineHasRoom)
{
    EXPECT_EQ(fitOfCache(50 * kMiB, 80 * kMiB), Fit::TooClose);
}

TEST(DeviceDemand, DoesNotFitWhereLessThanTheBytesInUseIsThere)
{
    EXPECT_EQ(fitOfCache(40 * kMiB, 50 * kMiB), Fit::DoesNotFit);
}

TEST(GpuSets, HaveOneSetForEachComputeCapability)
{
    const std::vector<GpuSet> sets = gpuSets(gpuModels());
    std::size_t gpus = 0;
    for (const GpuSet& set : sets) {
        gpus += set.gpus.size();
        for (const GpuModel& gpu : set.gpus) {
            EXPECT_EQ(gpu.profile.major, set.rehearsed().profile.major);
            EXPECT_EQ(gpu.profile.minor, set.rehearsed().profile.minor);
            EXPECT_LE(gpu.mostReported, set.rehearsed().mostReported);
        }
    }
    EXPECT_EQ(gpus, gpuModels().size());
    EXPECT_LT(sets.size(), gpus);
}

TEST(GpuPrices, AreReadByName)
{
    const auto prices = parseGpuPrices("# per hour\n\nL4, 0.71\nA100: 1.5\r\nNVIDIA H200\t3\n");
    ASSERT_TRUE(prices);
    EXPECT_EQ(prices->size(), 4u);
    EXPECT_DOUBLE_EQ(prices->at("L4"), 0.71);
    EXPECT_DOUBLE_EQ(prices->at("A100 40"), 1.5);
    EXPECT_DOUBLE_EQ(prices->at("A100 80"), 1.5);
}

TEST(GpuPrices, NameTheLineThatIsWrong)
{
    for (const char* const text :
        {"L4, 1\nL4", "L4, 1\nL4, x", "L4, 1\nnobody, 2", "L4, 1\nL4, -2", "L4, 1\nL4, inf"}) {
        const auto prices = parseGpuPrices(text);
        ASSERT_FALSE(prices) << text;
        EXPECT_NE(prices.error().message.find("line 2"), std::string::npos) << prices.error().message;
    }
}

} // namespace highwater::rehearse
