#include "core/analysis/composition/histograms.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

LiveSet everything(const AllocationTable& allocations)
{
    LiveSet set;
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        set.allocations.push_back(i);
        set.total.add(allocations.bytes(i));
    }
    return set;
}

CountedBytes sumOf(const Histogram& histogram)
{
    CountedBytes sum;
    for (const HistogramBin& bin : histogram.bins) {
        sum.count += bin.total.count;
        sum.bytes += bin.total.bytes;
    }
    return sum;
}

} // namespace

TEST(SizeHistogram, HasABinForEachPowerOfTwoBetweenTheSmallestAndTheLargest)
{
    const auto trace = test::traceFromText("alloc a 512\nalloc b 1023\nalloc c 4096\nend");
    const AllocationTable allocations(*trace, 0);
    const Histogram histogram = sizeHistogram(allocations, everything(allocations));
    ASSERT_EQ(histogram.bins.size(), 4u);
    EXPECT_EQ(histogram.bins[0].low, 512);
    EXPECT_EQ(histogram.bins[0].high, 1024);
    EXPECT_EQ(histogram.bins[0].total, (CountedBytes{2, 1535}));
    EXPECT_EQ(histogram.bins[1].total, (CountedBytes{0, 0}));
    EXPECT_EQ(histogram.bins[3].total, (CountedBytes{1, 4096}));
}

TEST(SizeHistogram, PutsZeroBytesIntoABinOfTheirOwn)
{
    const auto trace = test::traceFromText("alloc a 0\nalloc b 1\nend");
    const AllocationTable allocations(*trace, 0);
    const Histogram histogram = sizeHistogram(allocations, everything(allocations));
    ASSERT_EQ(histogram.bins.size(), 2u);
    EXPECT_EQ(histogram.bins[0].high, 1);
    EXPECT_EQ(histogram.bins[1].low, 1);
}

TEST(LifetimeHistogram, CountsEventsInDecadesAndKeepsWhatIsNotFreedApart)
{
    const auto trace = test::traceFromText(
        "alloc a 5\nfree_once a\nfree_once old\nalloc b 7\nalloc c 8\nalloc d 9\nalloc e 1\nalloc f 1\n"
        "alloc g 1\nalloc h 1\nalloc i 1\nalloc j 1\nalloc k 1\nfree_once b\nend");
    const AllocationTable allocations(*trace, 0);
    const Histogram histogram = lifetimeHistogram(allocations, everything(allocations));
    ASSERT_EQ(histogram.bins.size(), 5u);
    EXPECT_EQ(histogram.bins[0].low, 1);
    EXPECT_EQ(histogram.bins[0].high, 10);
    EXPECT_EQ(histogram.bins[0].total, (CountedBytes{1, 5}));
    EXPECT_EQ(histogram.bins[1].total, (CountedBytes{1, 7}));
    EXPECT_EQ(histogram.bins[2].kind, BinKind::NotFreed);
    EXPECT_EQ(histogram.bins[2].total.count, 8);
    EXPECT_EQ(histogram.bins[3].kind, BinKind::NotFreed);
    EXPECT_EQ(histogram.bins[3].low, 10);
    EXPECT_EQ(histogram.bins[3].total.count, 1);
    EXPECT_EQ(histogram.bins[4].kind, BinKind::Older);
    EXPECT_EQ(histogram.bins[4].total.count, 1);
}

TEST(Histograms, SumToTheSetAndNameTheBinOfEveryAllocation)
{
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const auto trace = test::randomTrace(seed, {.consistent = seed % 2 == 0});
        const AllocationTable allocations(*trace, 0);
        const LiveSet set = everything(allocations);
        const Histogram sizes = sizeHistogram(allocations, set);
        const Histogram lifetimes = lifetimeHistogram(allocations, set);
        EXPECT_EQ(sumOf(sizes), set.total);
        EXPECT_EQ(sumOf(lifetimes), set.total);
        for (const AllocationIndex i : set.allocations) {
            EXPECT_LT(findSizeBin(sizes, allocations, i), sizes.bins.size());
            EXPECT_LT(findLifetimeBin(lifetimes, allocations, i), lifetimes.bins.size());
        }
    }
}

TEST(Histograms, AreEmptyForNothing)
{
    const auto trace = test::traceFromText("alloc a 5\nend");
    const AllocationTable allocations(*trace, 0);
    EXPECT_TRUE(sizeHistogram(allocations, {}).bins.empty());
    EXPECT_TRUE(lifetimeHistogram(allocations, {}).bins.empty());
}

} // namespace highwater
