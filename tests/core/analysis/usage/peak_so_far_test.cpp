#include "core/analysis/usage/peak_so_far.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

struct ScaledRun
{
    explicit ScaledRun(std::shared_ptr<const Trace> of)
        : trace(std::move(of))
        , allocations(*trace, 0)
        , curve(*trace, allocations)
        , scale(*trace, 0, AxisKind::Event)
    {
    }

    std::vector<Bytes> peaks(double begin, double end, int width) const
    {
        return peakSoFar(curve, pixelColumns(curve, scale, begin, end, width));
    }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    UsageCurve curve;
    EventScale scale;
};

} // namespace

TEST(PeakSoFar, RisesWithTheTotalAndNeverFalls)
{
    const ScaledRun run(test::traceFromText("alloc a 10\nfree_once a\nalloc b 5\nalloc c 20\nend"));
    EXPECT_EQ(run.peaks(0, 4, 4), (std::vector<Bytes>{10, 10, 10, 25}));
}

TEST(PeakSoFar, KnowsWhatWasBeforeTheView)
{
    const ScaledRun run(test::traceFromText("alloc a 10\nfree_once a\nalloc b 5\nend"));
    EXPECT_EQ(run.peaks(2, 3, 2), (std::vector<Bytes>{10, 10}));
}

TEST(PeakSoFar, BeginsWithWhatIsOlderThanTheTrace)
{
    const ScaledRun run(test::traceFromText("free_once old\nalloc a 1\nfinal keep 100\nfinal a"));
    EXPECT_EQ(run.peaks(0, 2, 2).front(), run.curve.at(-1));
}

TEST(PeakSoFar, KnowsWhatWasBeforeAViewThatBeginsWithAGap)
{
    const ScaledRun run(test::traceFromText("alloc a 10\nfree_once a\nalloc b 5\nfree_once b\nend"));
    const EventScale aligned({{0, 2, 0, 2}, {2, 4, 4, 6}});
    const std::vector<PixelColumn> columns = pixelColumns(run.curve, aligned, 3, 6, 3);
    ASSERT_EQ(columns.front().event, kNoState);
    EXPECT_EQ(peakSoFar(run.curve, columns), (std::vector<Bytes>{10, 10, 10}));
}

TEST(PeakSoFar, OfNoColumnsIsEmpty)
{
    const ScaledRun run(test::traceFromText("alloc a 10\nend"));
    EXPECT_TRUE(run.peaks(0, 1, 0).empty());
}

TEST(PeakSoFar, IsTheLargestTotalUpToTheEndOfEachColumn)
{
    const ScaledRun run(test::randomTrace(4, {.events = 1000}));
    test::Random random(9);
    for (int round = 0; round < 50; ++round) {
        const std::int64_t begin = random.below(900);
        const std::int64_t end = begin + 1 + random.below(1000 - begin);
        const int width = static_cast<int>(1 + random.below(300));
        const auto b = static_cast<double>(begin);
        const auto e = static_cast<double>(end);
        const std::vector<PixelColumn> columns = pixelColumns(run.curve, run.scale, b, e, width);
        const std::vector<Bytes> peaks = peakSoFar(run.curve, columns);
        for (int x = 0; x < width; ++x) {
            const std::int64_t next = run.scale.firstEventFrom(b + (e - b) * (x + 1) / width);
            const std::int64_t held = columns[static_cast<std::size_t>(x)].event;
            ASSERT_EQ(peaks[static_cast<std::size_t>(x)], run.curve.peak(-1, std::max(next, held + 1)).bytes)
                << "column " << x << " of [" << begin << ", " << end << ')';
        }
    }
}

TEST(PeakSoFar, OfTheWholeRunEndsWithItsPeak)
{
    const ScaledRun run(test::randomTrace(6, {.events = 700}));
    EXPECT_EQ(run.peaks(run.scale.begin(), run.scale.end(), 37).back(), run.curve.peak().bytes);
}

} // namespace highwater
