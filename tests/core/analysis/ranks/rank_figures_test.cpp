#include "core/analysis/ranks/rank_figures.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

TEST(RankFigures, AreThoseOfTheMainDevice)
{
    const auto trace = test::traceFromText("device 0\nalloc a 100\nfree_once a\n"
                                           "device 1\nalloc b 300\nsegment_alloc s 4096\noom 512 64\nend");
    const RankFile file = rankFile({"rank0", 0, {}, {}}, *trace);
    ASSERT_EQ(file.devices.size(), 2u);
    const RankDevice* main = file.mainDevice();
    ASSERT_NE(main, nullptr);
    EXPECT_EQ(main->label, "cuda:1");
    EXPECT_EQ(main->peakBytes, 300);
    EXPECT_EQ(main->oomCount, 1);
    EXPECT_EQ(main->firstOom, 2);
}

TEST(RankFigures, LeaveOutDevicesThatHeldNothing)
{
    const auto trace = test::traceFromText("device 0\ndevice 1\nalloc b 300\nend");
    EXPECT_EQ(rankFile({}, *trace).devices.size(), 1u);
}

TEST(RankFigures, OfAFileWithoutDevicesHaveNoMainDevice)
{
    EXPECT_EQ(rankFile({}, std::vector<RankDevice>{}).mainDevice(), nullptr);
    EXPECT_EQ(unreadableRank({}, "is empty").mainDevice(), nullptr);
}

TEST(RankFigures, SitesAtThePeakSumToIt)
{
    const auto trace = test::randomTrace(3, {.events = 500});
    const RankDevice device = *rankFile({}, *trace).mainDevice();
    Bytes sum = 0;
    for (const auto& [key, bytes] : device.peakSites)
        sum += bytes;
    EXPECT_EQ(sum, device.peakBytes);
    EXPECT_TRUE(std::is_sorted(device.peakSites.begin(), device.peakSites.end()));
}

TEST(CurveOutline, KeepsThePeakWhateverTheNumberOfEvents)
{
    for (const std::int64_t events : {3, 300, 9000}) {
        const auto trace = test::randomTrace(5, {.events = events});
        const RankDevice device = *rankFile({}, *trace).mainDevice();
        for (const std::vector<Bytes>& columns : {device.outline.byEvent, device.outline.byTime}) {
            ASSERT_EQ(columns.size(), static_cast<std::size_t>(CurveOutline::kColumns));
            EXPECT_EQ(*std::max_element(columns.begin(), columns.end()), device.peakBytes) << events;
        }
        EXPECT_LT(device.outline.begin, device.outline.end);
    }
}

TEST(CurveOutline, KeepsAPeakBeforeTheFirstEvent)
{
    const auto trace = test::traceFromText("free_once a\nfree_once b\nfinal old 10");
    const RankDevice device = *rankFile({}, *trace).mainDevice();
    EXPECT_EQ(device.outline.byEvent.front(), device.peakBytes);
}

TEST(CurveOutline, OfADeviceWithoutTimesHasNone)
{
    const auto trace = test::traceFromText("alloc a 10\nend");
    EXPECT_TRUE(rankFile({}, *trace).mainDevice()->outline.byTime.empty());
}

TEST(CurveOutline, IsLeftOutOnRequest)
{
    const auto trace = test::traceFromText("alloc a 10\nend");
    EXPECT_TRUE(rankFile({}, *trace, false).mainDevice()->outline.byEvent.empty());
}

} // namespace highwater
