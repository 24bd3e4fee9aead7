#include "core/analysis/steps/folded_steps.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Steps of four events each, in which memory rises to half of the peak, to the peak, to half of it again,
/// and to nothing.
class StepRun
{
public:
    explicit StepRun(const std::vector<Bytes>& peaks)
        : m_trace(test::traceFromText(textOf(peaks)))
        , m_allocations(*m_trace, 0)
        , curve(*m_trace, m_allocations)
    {
        steps.source = StepSource::ProfilerStep;
        for (const Bytes peak : peaks) {
            const auto begin = static_cast<std::int64_t>(steps.steps.size()) * 4;
            Step step;
            step.name = "step " + std::to_string(steps.steps.size());
            step.begin = begin;
            step.end = begin + 4;
            step.peakBytes = peak;
            steps.steps.push_back(step);
        }
    }

private:
    static std::string textOf(const std::vector<Bytes>& peaks)
    {
        std::string text;
        for (const Bytes peak : peaks)
            text += "alloc a " + std::to_string(peak / 2) + "\nalloc b " + std::to_string(peak / 2)
                + "\nfree_once b\nfree_once a\n";
        return text;
    }

    std::shared_ptr<const Trace> m_trace;
    AllocationTable m_allocations;

public:
    UsageCurve curve;
    StepTable steps;
};

std::vector<std::size_t> outliersOfPeaks(const std::vector<Bytes>& peaks)
{
    const StepRun run(peaks);
    std::vector<std::size_t> steps;
    const auto folded = foldedSteps(run.curve, run.steps);
    for (const FoldedSteps::Outlier& outlier : folded.value().outliers)
        steps.push_back(outlier.step);
    return steps;
}

} // namespace

TEST(FoldedSteps, HaveTheCourseOfAStepInTheirColumns)
{
    const StepRun run(std::vector<Bytes>(9, 2048));
    const auto folded = foldedSteps(run.curve, run.steps);
    ASSERT_TRUE(folded);
    EXPECT_EQ(folded->steps, 9u);
    ASSERT_EQ(folded->median.size(), FoldedSteps::kColumns);
    EXPECT_EQ(folded->median[0], 1024);
    EXPECT_EQ(folded->median[30], 2048);
    EXPECT_EQ(folded->median[60], 1024);
    EXPECT_EQ(folded->median[99], 0);
    EXPECT_TRUE(folded->outliers.empty());
}

TEST(FoldedSteps, LeaveATenthOfTheStepsOnEachSideOfTheEnvelope)
{
    std::vector<Bytes> peaks;
    for (Bytes peak = 1; peak <= 11; ++peak)
        peaks.push_back(peak * 1024);
    const StepRun run(peaks);
    const auto folded = foldedSteps(run.curve, run.steps);
    ASSERT_TRUE(folded);
    EXPECT_EQ(folded->lower[30], 2 * 1024);
    EXPECT_EQ(folded->median[30], 6 * 1024);
    EXPECT_EQ(folded->upper[30], 10 * 1024);
}

TEST(FoldedSteps, CountFromTheStartOfEachStep)
{
    StepRun run(std::vector<Bytes>(9, 2048));
    for (Step& step : run.steps.steps)
        step.startBytes = 512;
    const auto folded = foldedSteps(run.curve, run.steps);
    ASSERT_TRUE(folded);
    EXPECT_EQ(folded->median[30], 2048 - 512);
    EXPECT_EQ(folded->median[99], -512);
}

TEST(FoldedSteps, NameTheStepsWithUnusualPeaks)
{
    std::vector<Bytes> peaks(20, 100 * 1024);
    peaks[0] = 60 * 1024;
    peaks[7] = 140 * 1024;
    peaks[8] = 100 * 1024 + 512; // less than a hundredth
    EXPECT_EQ(outliersOfPeaks(peaks), (std::vector<std::size_t>{0, 7}));
}

TEST(FoldedSteps, KeepTheFiveFarthestOutliers)
{
    std::vector<Bytes> peaks(40, 100 * 1024);
    for (std::size_t i = 0; i < 7; ++i)
        peaks[5 * i] = static_cast<Bytes>(110 + i) * 1024;
    EXPECT_EQ(outliersOfPeaks(peaks), (std::vector<std::size_t>{10, 15, 20, 25, 30}));
}

TEST(FoldedSteps, AreNotMadeOfFewerThanEightCompleteSteps)
{
    StepRun run(std::vector<Bytes>(8, 2048));
    EXPECT_TRUE(foldedSteps(run.curve, run.steps));
    run.steps.steps.back().isComplete = false;
    EXPECT_FALSE(foldedSteps(run.curve, run.steps));
}

} // namespace highwater
