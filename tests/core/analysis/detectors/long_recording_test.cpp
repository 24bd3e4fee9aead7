// Checks the findings and the number of steps for a recording of a thousand steps.
#include <gtest/gtest.h>

#include "core/analysis/detectors/detectors.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

TEST(LongRecording, HasAThousandStepsInWhichNothingIsWrong)
{
    const auto imported = openTrace(test::samplePath("long/thousand-steps.pickle.zst"), {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, DeviceIndex{0});
    EXPECT_EQ(study.curve.eventCount(), 1'256'286);
    EXPECT_EQ(std::ranges::count_if(
                  study.steps.steps, [](const Step& step) { return step.isCounted() && step.isComplete; }),
        1000);
    for (const Finding& finding : findFindings(DetectorInput(study)))
        EXPECT_NE(finding.kind, FindingKind::Fault) << finding.title;
}

} // namespace highwater
