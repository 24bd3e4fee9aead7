#include "core/analysis/steps/loop_lines.h"

#include <gtest/gtest.h>

#include "core/analysis/steps/phases.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// A trace whose stacks are lines of `train` called by `main`, in this order, with 10 allocations each.
struct TracedLines
{
    explicit TracedLines(const std::vector<int>& lines)
    {
        std::string text;
        for (const int line : lines)
            text += "stack s" + std::to_string(line) + " = /w/t.py:" + std::to_string(line)
                + " train | /w/t.py:90 main\n";
        int name = 0;
        for (const int line : lines)
            for (int i = 0; i < 10; ++i)
                text += "alloc a" + std::to_string(name++) + " 8 @s" + std::to_string(line) + "\n";
        trace = test::traceFromText(text + "end");
    }

    std::optional<LoopLine> loop() const
    {
        const AllocationTable allocations(*trace, 0);
        const UsageCurve curve(*trace, allocations);
        const PhaseTable phases = findPhases(AllocationTable(*trace, 0));
        return findLoopLine({*trace, allocations, curve, phases});
    }

    std::shared_ptr<const Trace> trace;
};

using Begins = std::vector<std::int64_t>;

} // namespace

TEST(LoopLines, BeginAtTheLineThatComesBack)
{
    const auto loop = TracedLines({10, 11, 12, 10, 11, 12, 10, 11, 12}).loop();
    ASSERT_TRUE(loop);
    EXPECT_EQ(loop->begins, (Begins{0, 30, 60}));
    EXPECT_TRUE(loop->isEven);
}

TEST(LoopLines, LeaveOutWhatStandsBeforeTheLoop)
{
    const auto loop = TracedLines({5, 10, 11, 12, 10, 11, 12}).loop();
    ASSERT_TRUE(loop);
    EXPECT_EQ(loop->begins, (Begins{10, 40}));
}

TEST(LoopLines, CountStatementsOverTwoLinesOnce)
{
    const auto loop = TracedLines({10, 11, 10, 15, 10, 11, 10, 15, 10, 11, 10, 15}).loop();
    ASSERT_TRUE(loop);
    EXPECT_EQ(loop->begins, (Begins{0, 40, 80}));
}

TEST(LoopLines, AreNotThereWhereLinesOnlyGoOn)
{
    EXPECT_FALSE(TracedLines({10, 11, 12, 13}).loop());
}

} // namespace highwater
