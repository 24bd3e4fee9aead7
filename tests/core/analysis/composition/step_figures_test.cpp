#include "core/analysis/composition/step_figures.h"

#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

class LeftBehind : public testing::Test
{
protected:
    explicit LeftBehind(const char* sample = "fault-growth")
        : m_trace(openTrace(test::snapshotPath(sample), {})->trace)
        , study(*m_trace, 0)
    {
    }

private:
    std::shared_ptr<const Trace> m_trace;

protected:
    const DeviceStudy study;
};

} // namespace

TEST_F(LeftBehind, HasOneTotalInTheTableOfStepsAndInTheSetOfItsAllocations)
{
    for (std::size_t i = 0; i + 1 < study.steps.steps.size(); ++i)
        EXPECT_EQ(liveSet(LiveIndex(study.allocations), leftBehindBy(study.steps, i)).total.bytes,
            study.steps.steps[i].leftBehindBytes);
}

TEST_F(LeftBehind, LeavesOutWhatTheNextStepFrees)
{
    const Step& step = study.steps.steps[3];
    EXPECT_EQ(step.leftBehindBytes, Bytes{(2 << 20) + (512 << 10)})
        << "the hidden states and scores, not the gradients";
    EXPECT_EQ(step.leftBehindBytes, step.retainedBytes());
    EXPECT_EQ(study.steps.keptUntilText(3), "in use at the end of " + study.steps.steps[4].name);
}

TEST_F(LeftBehind, IsUnknownForTheStepWithWhichTheRecordingEnds)
{
    const std::size_t last = study.steps.steps.size() - 1;
    EXPECT_TRUE(study.steps.steps[last].isComplete);
    EXPECT_EQ(study.steps.steps[last].leftBehindBytes, std::nullopt)
        << "no next step could free its gradients";
    EXPECT_NE(study.steps.steps[last - 1].leftBehindBytes, std::nullopt);
    EXPECT_EQ(study.steps.keptUntilText(last - 1), "in use at the end of the recording");
}

} // namespace highwater
