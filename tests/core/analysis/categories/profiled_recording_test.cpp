#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

/// A U-Net that was profiled from its third step on. 31.1 MB of parameters, 62.1 MB of RMSprop's state and
/// 31.1 MB of gradients were allocated before recording began. The script printed the maximum of allocated
/// memory in each phase.
namespace highwater {

namespace {

class ProfiledRecording : public testing::Test
{
protected:
    const std::shared_ptr<const Trace> trace
        = openTrace(test::samplePath("rehearsed/unet-from-step-two.pt.trace.json.gz"), {})->trace;
    const DeviceIndex device = cudaDevice();
    const DeviceStudy study{*trace, device};

    DeviceIndex cudaDevice() const
    {
        DeviceIndex found = 0;
        while (trace->devices[found].kind != DeviceKind::Cuda)
            ++found;
        return found;
    }
    Bytes atPeak(Category category) const
    {
        const CategoryBytes bytes
            = categoriesAt(study.allocations, study.categories, {study.curve.peak().event}).front();
        return bytes[static_cast<std::size_t>(category)];
    }
};

} // namespace

TEST_F(ProfiledRecording, HasItsPeaksWhereTheScriptMeasuredThem)
{
    ASSERT_EQ(study.steps.steps.size(), 3u);
    EXPECT_EQ(study.steps.steps[0].peakBytes, 525'062'144);
    EXPECT_EQ(study.steps.steps[0].peakPhase, Phase::Backward);
    EXPECT_EQ(study.steps.steps[1].peakBytes, 522'964'992);
    EXPECT_EQ(study.steps.steps[1].peakPhase, Phase::Backward);
    EXPECT_FALSE(study.steps.steps[2].isComplete) << "the profiler stopped behind its forward";
}

TEST_F(ProfiledRecording, CallsWhatIsOlderOlderAndNoInput)
{
    EXPECT_EQ(atPeak(Category::BeforeRecording), 93'739'008);
    EXPECT_LE(atPeak(Category::Input), 3'600'000) << "a batch of images and masks";
    EXPECT_GE(atPeak(Category::Activation), 380'000'000);
    EXPECT_EQ(atPeak(Category::OptimizerState), 0);
}

} // namespace highwater
