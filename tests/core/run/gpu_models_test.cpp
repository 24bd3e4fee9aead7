#include "core/run/gpu_models.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/base/embedded_resource.h"
#include "tests/support/sample_files.h"

namespace highwater {

TEST(EmbeddedResource, IsTheFileByteForByte)
{
    EXPECT_EQ(
        embeddedResource("gpus.json"), test::readWholeFile(HIGHWATER_SOURCE_DIR "/resources/gpus.json"));
}

TEST(EmbeddedResource, IsNotThereUnderAnotherName)
{
    EXPECT_FALSE(embeddedResource("nothing.json"));
}

TEST(GpuModels, AreThoseOfTheResource)
{
    const auto found = std::find_if(
        gpuModels().begin(), gpuModels().end(), [](const GpuModel& gpu) { return gpu.name == "H100 80"; });
    ASSERT_NE(found, gpuModels().end());
    EXPECT_EQ(found->nominalGigabytes, 80);
    EXPECT_NEAR(static_cast<double>(found->mostReported) / static_cast<double>(kGiB), 79.18, 1e-6);
    EXPECT_LT(found->leastReported, found->mostReported);
}

TEST(GpuModels, HaveNamesOfTheirOwnAndComeSmallestFirst)
{
    std::set<std::string> names;
    Bytes last = 0;
    for (const GpuModel& gpu : gpuModels()) {
        EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name;
        EXPECT_GE(gpu.mostReported, last) << gpu.name;
        EXPECT_FALSE(gpu.source.empty()) << gpu.name;
        last = gpu.mostReported;
    }
    EXPECT_GE(names.size(), 15u);
}

TEST(GpuModels, HaveLessThanTheirNamesPromise)
{
    EXPECT_GT(gpuModels().size(), 10u);
    for (const GpuModel& gpu : gpuModels())
        EXPECT_LT(gpu.mostReported, Bytes{gpu.nominalGigabytes} * kGiB) << gpu.name;
}

TEST(GpuModels, AreAllReadyToBeRehearsed)
{
    for (const GpuModel& gpu : gpuModels()) {
        EXPECT_GT(gpu.profile.multiprocessors, 0) << gpu.name;
        EXPECT_GT(gpu.profile.threadsPerMultiprocessor, 0) << gpu.name;
        EXPECT_LE(gpu.profile.leastOutside, gpu.profile.mostOutside) << gpu.name;
        EXPECT_FALSE(gpu.deviceName.empty()) << gpu.name;
    }
}

TEST(GpuModels, FillAListOfCommonOnesWithoutSlices)
{
    EXPECT_GE(commonGpus().size(), 15u);
    EXPECT_LE(commonGpus().size(), 25u);
    EXPECT_TRUE(std::ranges::none_of(commonGpus(), &GpuModel::isSlice));
    EXPECT_TRUE(std::ranges::any_of(gpuModels(), &GpuModel::isSlice));
}

TEST(GpuModels, AreAllInTheManual)
{
    const std::string manual = test::readWholeFile(HIGHWATER_SOURCE_DIR "/resources/manual/rehearsing.md");
    for (const GpuModel& gpu : gpuModels())
        EXPECT_NE(manual.find(gpu.name), std::string::npos) << gpu.name;
}

TEST(GpuModels, CanBeReportedInMebibytes)
{
    const auto gpus
        = parseGpuModels(R"({"cards": [{"name": "V", "nominal_gb": 16, "reported_mib": [16160, 16160]}]})");
    ASSERT_TRUE(gpus);
    EXPECT_EQ(gpus->front().mostReported, 16160 * kMiB);
}

TEST(GpuModels, ThatCannotBeReadAreAnErrorAndNoCrash)
{
    for (const char* text : {"", "[]", "{\"cards\": 5}", R"({"cards": [{"name": "V"}]})",
             R"({"cards": [{"name": "V", "nominal_gb": 16, "reported_gib": [15]}]})",
             R"({"cards": [{"name": "V", "nominal_gb": 16.5, "reported_gib": [15, 15]}]})",
             R"({"cards": [{"name": "V", "nominal_gb": 1e300, "reported_gib": [15, 15]}]})",
             R"({"cards": [{"name": "V", "nominal_gb": 16, "reported_gib": [16, 15]}]})",
             R"({"cards": [{"name": "", "nominal_gb": 16, "reported_gib": [15, 15]}]})",
             R"({"cards": [{"name": "V", "nominal_gb": 16, "reported_gib": [15, 1e300]}]})"}) {
        const auto gpus = parseGpuModels(text);
        ASSERT_FALSE(gpus) << text;
        EXPECT_EQ(gpus.error().code, ErrorCode::Malformed);
    }
}

} // namespace highwater
