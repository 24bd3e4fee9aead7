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
        gpuModels().begin(), gpuModels().end(), [](const GpuModel& card) { return card.name == "H100 80"; });
    ASSERT_NE(found, gpuModels().end());
    EXPECT_EQ(found->nominalGigabytes, 80);
    EXPECT_NEAR(static_cast<double>(found->mostReported) / static_cast<double>(kGiB), 79.18, 1e-6);
    EXPECT_LT(found->leastReported, found->mostReported);
}

TEST(GpuModels, HaveNamesOfTheirOwnAndComeSmallestFirst)
{
    std::set<std::string> names;
    Bytes last = 0;
    for (const GpuModel& card : gpuModels()) {
        EXPECT_TRUE(names.insert(card.name).second) << card.name;
        EXPECT_GE(card.mostReported, last) << card.name;
        EXPECT_FALSE(card.source.empty()) << card.name;
        last = card.mostReported;
    }
    EXPECT_GE(names.size(), 15u);
}

TEST(GpuModels, HaveLessThanTheirNamesPromise)
{
    EXPECT_GT(gpuModels().size(), 10u);
    for (const GpuModel& card : gpuModels())
        EXPECT_LT(card.mostReported, Bytes{card.nominalGigabytes} * kGiB) << card.name;
}

TEST(GpuModels, CanBeReportedInMebibytes)
{
    const auto cards
        = parseGpuModels(R"({"cards": [{"name": "V", "nominal_gb": 16, "reported_mib": [16160, 16160]}]})");
    ASSERT_TRUE(cards);
    EXPECT_EQ(cards->front().mostReported, 16160 * kMiB);
}

TEST(GpuModels, ThatCannotBeReadAreAnErrorAndNoCrash)
{
    for (const char* text : {"", "[]", "{\"cards\": 5}", R"({"cards": [{"name": "V"}]})",
             R"({"cards": [{"name": "V", "nominal_gb": 16, "reported_gib": [15]}]})",
             R"({"cards": [{"name": "V", "nominal_gb": 16, "reported_gib": [16, 15]}]})",
             R"({"cards": [{"name": "", "nominal_gb": 16, "reported_gib": [15, 15]}]})",
             R"({"cards": [{"name": "V", "nominal_gb": 16, "reported_gib": [15, 1e300]}]})"}) {
        const auto cards = parseGpuModels(text);
        ASSERT_FALSE(cards) << text;
        EXPECT_EQ(cards.error().code, ErrorCode::Malformed);
    }
}

} // namespace highwater
