#include "core/figure/raster/step_columns.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Twelve steps of four events each: 1 KiB that stays, and a block that is freed, larger in each step.
class ThinSteps
{
public:
    ThinSteps()
    {
        table.source = StepSource::ProfilerStep;
        for (std::int64_t i = 0; i < 12; ++i) {
            Step step;
            step.name = "step " + std::to_string(i);
            step.begin = 4 * i;
            step.end = 4 * i + 4;
            step.peakBytes = curve.peak(step.begin, step.end).bytes;
            step.endBytes = curve.at(step.end - 1);
            table.steps.push_back(step);
        }
    }
    StepColumns columns(int width, int pixel = 1) const
    {
        return stepColumns(curve, table, EventScale(*m_trace, 0, AxisKind::Event), 0, 48, width, pixel);
    }

private:
    static std::string text()
    {
        std::string lines;
        for (int i = 0; i < 12; ++i) {
            const std::string name = std::to_string(i);
            lines += "alloc kept" + name + " 1 KiB\nalloc b " + std::to_string(10 + i) + " KiB\nfree b\n";
        }
        return lines;
    }

    std::shared_ptr<const Trace> m_trace = test::traceFromText(text());
    AllocationTable m_allocations{*m_trace, 0};

public:
    UsageCurve curve{*m_trace, m_allocations};
    StepTable table;
};

} // namespace

TEST(StepColumns, AreThoseOfEventsWhileStepsAreThreePixelsWide)
{
    const StepColumns columns = ThinSteps().columns(36);
    EXPECT_EQ(columns.stepsPerGroup, 0u);
    EXPECT_TRUE(columns.spreads.empty());
}

TEST(StepColumns, ShowThePeaksOfGroupsOfNarrowSteps)
{
    const ThinSteps run;
    const StepColumns columns = run.columns(24);
    EXPECT_EQ(columns.stepsPerGroup, 5u);
    ASSERT_EQ(columns.columns.size(), 24u);
    for (std::size_t x = 0; x < 24; ++x) {
        const std::size_t first = x / 2 / 5 * 5;
        EXPECT_EQ(columns.columns[x].bytes, run.table.steps[std::min<std::size_t>(first + 4, 11)].peakBytes);
        EXPECT_EQ(columns.spreads[x].lowest, run.table.steps[first].peakBytes);
        EXPECT_EQ(columns.spreads[x].median,
            first == 10 ? (run.table.steps[10].peakBytes + run.table.steps[11].peakBytes) / 2
                        : run.table.steps[first + 2].peakBytes);
    }
}

TEST(StepColumns, ShowWhatFollowsTheLastStepInItsGroup)
{
    ThinSteps run;
    for (const std::size_t step : {10, 11}) {
        run.table.steps[step].name = Step::kRemainder;
        run.table.steps[step].isComplete = false;
    }
    const StepColumns columns = run.columns(24);
    EXPECT_EQ(columns.spreads.back(), columns.spreads[10]);
    EXPECT_EQ(columns.spreads.back().median, run.table.steps[7].peakBytes);
    EXPECT_EQ(columns.columns.back().bytes, run.table.steps[11].peakBytes);
}

TEST(StepColumns, ShowTheHighestOfAllGroupsThatAColumnTouches)
{
    const ThinSteps run;
    const StepColumns columns = run.columns(30);
    EXPECT_EQ(columns.columns[11].bytes, run.table.steps[4].peakBytes);
    EXPECT_EQ(columns.columns[12].bytes, run.table.steps[9].peakBytes);
    EXPECT_EQ(columns.spreads[12].lowest, run.table.steps[0].peakBytes);
}

TEST(StepColumns, CountPixelsOfTheScreenAndNotOfThePicture)
{
    EXPECT_EQ(ThinSteps().columns(12).stepsPerGroup, 10u);
    EXPECT_EQ(ThinSteps().columns(12, 2).stepsPerGroup, 20u);
}

} // namespace highwater
