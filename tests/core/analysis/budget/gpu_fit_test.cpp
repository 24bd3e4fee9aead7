#include "core/analysis/budget/gpu_fit.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace highwater {

namespace {

std::vector<std::string> chosenGpus(const std::vector<std::string>& wanted)
{
    std::vector<std::string> names;
    const auto gpus = chooseGpus(wanted);
    EXPECT_TRUE(gpus);
    if (gpus)
        for (const GpuModel& gpu : *gpus)
            names.push_back(gpu.name);
    return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST(GpuChoice, TakesNamesInAnyCase)
{
    EXPECT_EQ(chosenGpus({"a100-80"}), Names{"A100 80"});
    EXPECT_EQ(chosenGpus({"A100"}), (Names{"A100 40", "A100 80"}));
    EXPECT_EQ(chosenGpus({"4090"}), Names{"RTX 4090"});
    EXPECT_EQ(chosenGpus({"L4", "T4", "l4"}), (Names{"L4", "T4"}));
}

TEST(GpuChoice, TakesTheDriversNames)
{
    EXPECT_EQ(chosenGpus({"NVIDIA A100-SXM4-80GB"}), Names{"A100 80"});
    EXPECT_EQ(chosenGpus({"NVIDIA H100 80GB HBM3"}), Names{"H100 80"});
    EXPECT_EQ(chosenGpus({"Tesla T4"}), Names{"T4"});
    EXPECT_EQ(chosenGpus({"NVIDIA GeForce RTX 4090"}), Names{"RTX 4090"});
}

TEST(GpuChoice, TakesSizes)
{
    const auto gpus = chooseGpus({"24GiB"});
    ASSERT_TRUE(gpus);
    EXPECT_EQ(gpus->front().leastReported, 24 * kGiB);
}

TEST(GpuChoice, FindsEveryGpuByItsNameAndByThatOfTheDriver)
{
    for (const GpuModel& gpu : gpuModels()) {
        EXPECT_EQ(chosenGpus({gpu.name}), Names{gpu.name});
        const Names driver = chosenGpus({gpu.deviceName});
        EXPECT_NE(std::ranges::find(driver, gpu.name), driver.end()) << gpu.deviceName;
    }
}

TEST(GpuChoice, TakesTheNamesOfSlices)
{
    EXPECT_EQ(chosenGpus({"a100 1g.10gb"}), Names{"A100 1g.10gb"});
    EXPECT_EQ(chosenGpus({"NVIDIA H100 80GB HBM3 MIG 3g.40gb"}), Names{"H100 3g.40gb"});
}

TEST(GpuChoice, OfAFamilyLeavesItsSlicesOut)
{
    EXPECT_EQ(chosenGpus({"H200"}), Names{"H200"});
    EXPECT_EQ(chosenGpus({"GH200"}), (Names{"GH200 96", "GH200 144"}));
    EXPECT_EQ(chosenGpus({"3080"}), (Names{"RTX 3080 10", "RTX 3080 12"}));
}

TEST(GpuChoice, OfAWorkstationCardIsThatOfTheServer)
{
    EXPECT_EQ(chosenGpus({"NVIDIA RTX PRO 6000 Blackwell Workstation Edition"}), Names{"RTX PRO 6000"});
}

TEST(GpuChoice, OfNothingIsTheCommonCards)
{
    EXPECT_EQ(chosenGpus({}).size(), commonGpus().size());
}

TEST(GpuChoice, RefusesOthersWithTheNamesThereAre)
{
    const auto gpus = chooseGpus({"Z9"});
    ASSERT_FALSE(gpus);
    EXPECT_EQ(gpus.error().code, ErrorCode::BadRequest);
    EXPECT_NE(gpus.error().message.find("H100 80"), std::string::npos);
    EXPECT_FALSE(chooseGpus({""}));
    EXPECT_FALSE(chooseGpus({"-"}));
}

TEST(GpuFits, CompareWithWhatTheDriverReportsAndNotWithTheName)
{
    const auto gpus = chooseGpus({"RTX 5090"});
    ASSERT_TRUE(gpus);
    const GpuFit fit = fitGpus(32 * kGiB - kMiB, *gpus, 0).front();
    EXPECT_FALSE(fit.fits);
    EXPECT_EQ(fit.headroom, fit.capacity - 32 * kGiB + kMiB);
}

TEST(GpuFits, AreTightWhereTheContextWouldNotFit)
{
    const std::vector<GpuModel> gpus = {{"GPU", 1, 10 * kGiB, 10 * kGiB, ""}};
    EXPECT_TRUE(fitGpus(10 * kGiB - kMiB, gpus, kUsualOutsideBytes).front().isTight);
    EXPECT_FALSE(fitGpus(10 * kGiB - kMiB, gpus, 0).front().isTight);
    EXPECT_FALSE(fitGpus(9 * kGiB, gpus, kUsualOutsideBytes).front().isTight);
    EXPECT_TRUE(fitGpus(10 * kGiB, gpus, 0).front().fits);
}

TEST(CapacityFromText, TakesASizeAsGpusAreSold)
{
    for (const char* text : {"24", "24 GB", "24gb"}) {
        const auto capacity = capacityFromText(text);
        ASSERT_TRUE(capacity) << text;
        EXPECT_EQ(capacity->gpu, "24 GB");
        const GpuModel gpu = gpuOfCapacity(*capacity);
        EXPECT_LT(gpu.leastReported, gpu.mostReported) << "an L4 reports less than an RTX 4090";
        EXPECT_LT(gpu.mostReported, 24 * kGiB);
    }
}

TEST(CapacityFromText, TakesAnExactSize)
{
    const auto capacity = capacityFromText("24GiB");
    ASSERT_TRUE(capacity);
    EXPECT_EQ(capacity->bytes, 24 * kGiB);
    EXPECT_EQ(capacity->gpu, "");
    EXPECT_EQ(gpuOfCapacity(*capacity).leastReported, 24 * kGiB);
}

TEST(CapacityFromText, TakesTheNameOfOneGpu)
{
    EXPECT_EQ(capacityFromText("l4")->gpu, "L4");
    EXPECT_EQ(capacityFromText("4090")->gpu, "RTX 4090");
    const auto several = capacityFromText("a100");
    ASSERT_FALSE(several);
    EXPECT_NE(several.error().message.find("A100 80"), std::string::npos);
    EXPECT_FALSE(capacityFromText("24 Gx"));
    EXPECT_FALSE(capacityFromText(""));
}

TEST(ChosenCapacity, OfEveryGpuIsTheOneThatItIsJudgedBy)
{
    for (const GpuModel& gpu : gpuModels()) {
        const DeviceCapacity capacity = chosenCapacity(gpu);
        EXPECT_EQ(capacity.bytes, fitGpu({}, gpu, 0).capacity) << gpu.name;
        const GpuModel judged = gpuOfCapacity(capacity);
        EXPECT_EQ(judged.name, gpu.name);
        EXPECT_EQ(judged.leastReported, capacity.bytes) << gpu.name;
        EXPECT_EQ(capacityFromText(gpu.name), capacity) << gpu.name;
    }
}

TEST(SavedCapacity, HasThePresentFigureOfItsGpu)
{
    for (const GpuModel& gpu : gpuModels())
        EXPECT_EQ(savedCapacity(gpu.mostReported, gpu.name), chosenCapacity(gpu)) << gpu.name;
    EXPECT_EQ(savedCapacity(24 * kGiB, ""), *capacityFromText("24GiB"));
}

TEST(GpuFit, IsTooCloseIfOnlyTheCacheExceedsTheGpu)
{
    const GpuModel gpu{"GPU", 10, 10 * kGiB, 10 * kGiB, ""};
    EXPECT_EQ(fitGpu({8 * kGiB, 11 * kGiB}, gpu, kGiB).verdict, FitVerdict::TooClose);
    EXPECT_EQ(fitGpu({8 * kGiB, 8 * kGiB}, gpu, kGiB).verdict, FitVerdict::Fits);
    EXPECT_EQ(fitGpu({11 * kGiB, 11 * kGiB}, gpu, kGiB).verdict, FitVerdict::DoesNotFit);
}

TEST(GpuFit, LeavesAndMissesBytesOfOneSumWithTheContext)
{
    const GpuModel gpu{"GPU", 10, 9 * kGiB, 10 * kGiB, ""};
    EXPECT_EQ(fitGpu({6 * kGiB, 7 * kGiB}, gpu, kGiB).headroom, kGiB) << "of the reserved bytes";
    EXPECT_EQ(fitGpu({8 * kGiB, 9 * kGiB}, gpu, kGiB).headroom, -kGiB) << "too close to say";
    EXPECT_EQ(fitGpu({11 * kGiB, 12 * kGiB}, gpu, kGiB).headroom, -3 * kGiB) << "of the bytes in use";
}

TEST(GpuFit, ExceedsTheGpuThatReportsTheMost)
{
    const GpuModel gpu{"GPU", 10, 8 * kGiB, 10 * kGiB, ""};
    EXPECT_EQ(fitGpu({9 * kGiB, 9 * kGiB}, gpu, kGiB).verdict, FitVerdict::TooClose);
}

} // namespace highwater
