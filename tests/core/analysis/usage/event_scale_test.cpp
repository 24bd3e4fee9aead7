#include "core/analysis/usage/event_scale.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Events at 0, 5, 5 and 20 µs after the first.
std::shared_ptr<const Trace> fourEvents()
{
    return test::traceFromText("alloc a 1 t=100\nalloc b 1 t=105\nalloc c 1 t=105\nalloc d 1 t=120\nend");
}

} // namespace

TEST(EventScaleByEvent, GivesEachEventOneUnitAndOneToTheMomentBefore)
{
    const auto trace = fourEvents();
    const EventScale scale(*trace, 0, AxisKind::Event);
    EXPECT_EQ(scale.begin(), -1);
    EXPECT_EQ(scale.end(), 4);
    EXPECT_EQ(scale.positionOf(2), 2);
    EXPECT_EQ(scale.positionOf(-1), -1);
}

TEST(EventScaleByEvent, TellsTheEventAtAPlace)
{
    const auto trace = fourEvents();
    const EventScale scale(*trace, 0, AxisKind::Event);
    EXPECT_EQ(scale.eventAt(-0.5), -1);
    EXPECT_EQ(scale.eventAt(0), 0);
    EXPECT_EQ(scale.eventAt(1.99), 1);
    EXPECT_EQ(scale.eventAt(3.5), 3);
    EXPECT_EQ(scale.eventAt(1e30), 3);
    EXPECT_EQ(scale.eventAt(-1e30), -1);
}

TEST(EventScaleByEvent, TellsTheFirstEventFromAPlaceOn)
{
    const auto trace = fourEvents();
    const EventScale scale(*trace, 0, AxisKind::Event);
    EXPECT_EQ(scale.firstEventFrom(-7), -1);
    EXPECT_EQ(scale.firstEventFrom(0.1), 1);
    EXPECT_EQ(scale.firstEventFrom(2), 2);
    EXPECT_EQ(scale.firstEventFrom(9), 4);
}

TEST(EventScaleByTime, CountsNanosecondsFromTheFirstEvent)
{
    const auto trace = fourEvents();
    const EventScale scale(*trace, 0, AxisKind::Time);
    EXPECT_EQ(scale.origin(), 100'000);
    EXPECT_EQ(scale.positionOf(0), 0);
    EXPECT_EQ(scale.positionOf(1), 5'000);
    EXPECT_EQ(scale.positionOf(3), 20'000);
    EXPECT_EQ(scale.end(), 21'000); // the last event lasts for one microsecond
    EXPECT_LT(scale.positionOf(-1), 0);
}

TEST(EventScaleByTime, ShowsTheLastOfEventsOfOneTime)
{
    const auto trace = fourEvents();
    const EventScale scale(*trace, 0, AxisKind::Time);
    EXPECT_EQ(scale.eventAt(5'000), 2);
    EXPECT_EQ(scale.eventAt(4'999), 0);
    EXPECT_EQ(scale.eventAt(19'999.9), 2);
    EXPECT_EQ(scale.eventAt(1e30), 3);
    EXPECT_EQ(scale.eventAt(-1), -1);
}

TEST(EventScaleByTime, TellsTheFirstOfEventsOfOneTime)
{
    const auto trace = fourEvents();
    const EventScale scale(*trace, 0, AxisKind::Time);
    EXPECT_EQ(scale.firstEventFrom(scale.begin()), -1);
    EXPECT_EQ(scale.firstEventFrom(1), 1);
    EXPECT_EQ(scale.firstEventFrom(5'000), 1);
    EXPECT_EQ(scale.firstEventFrom(5'001), 3);
    EXPECT_EQ(scale.firstEventFrom(1e30), 4);
}

TEST(EventScaleByTime, DoesNotStretchToTheEpochForAFirstEventWithoutTime)
{
    const auto trace
        = test::traceFromText("alloc a 1\nalloc b 1 t=1700000000000000\nalloc c 1 t=1700000000000010\nend");
    const EventScale scale(*trace, 0, AxisKind::Time);
    EXPECT_LT(scale.end() - scale.begin(), 1e9);
}

TEST(EventScaleByTime, EndsBehindItsBeginForALastEventWithoutTime)
{
    const auto trace
        = test::traceFromText("alloc a 1 t=1700000000000000\nalloc b 1 t=1700000000000010\nalloc c 1\nend");
    const EventScale scale(*trace, 0, AxisKind::Time);
    EXPECT_GT(scale.end(), scale.begin());
}

TEST(EventScaleByTime, KeepsEveryEventInItsRangeWhereTimesGoBackwards)
{
    const auto trace
        = test::traceFromText("alloc a 1 t=50\nalloc b 1 t=90\nalloc c 1 t=20\nalloc d 1 t=60\nend");
    const EventScale scale(*trace, 0, AxisKind::Time);
    for (std::int64_t event = 0; event < 4; ++event) {
        EXPECT_GE(scale.positionOf(event), scale.begin()) << event;
        EXPECT_LT(scale.positionOf(event), scale.end()) << event;
    }
}

TEST(EventScale, OfADeviceWithoutEventsHoldsTheMomentBeforeAlone)
{
    const auto trace = test::traceFromText("final old 5");
    for (const AxisKind kind : {AxisKind::Event, AxisKind::Time}) {
        const EventScale scale(*trace, 0, kind);
        EXPECT_EQ(scale.eventAt(0), -1);
        EXPECT_EQ(scale.eventAt(100), -1);
        EXPECT_EQ(scale.end(), 0);
    }
}

TEST(EventScaleWithoutEvents, IsAStretchOfTime)
{
    const EventScale scale(1000, 5000);
    EXPECT_EQ(scale.kind(), AxisKind::Time);
    EXPECT_EQ(scale.begin(), 0);
    EXPECT_EQ(scale.end(), 4000);
    EXPECT_EQ(scale.origin(), 1000);
    EXPECT_EQ(scale.eventCount(), 0);
}

namespace {

/// Returns three events over [0, 6), a place that only another run has, and two events over [8, 9).
EventScale twoStretches()
{
    return EventScale({{0, 3, 0, 6}, {3, 5, 8, 9}});
}

} // namespace

TEST(EventScaleAligned, SpreadsTheEventsOfAStretchEvenly)
{
    const EventScale scale = twoStretches();
    EXPECT_EQ(scale.eventCount(), 5);
    EXPECT_EQ(scale.begin(), -1);
    EXPECT_EQ(scale.end(), 9);
    EXPECT_EQ(scale.positionOf(-1), -1);
    EXPECT_EQ(scale.positionOf(1), 2);
    EXPECT_EQ(scale.positionOf(3), 8);
    EXPECT_EQ(scale.positionOf(4), 8.5);
}

TEST(EventScaleAligned, TellsTheEventAtAPlace)
{
    const EventScale scale = twoStretches();
    EXPECT_EQ(scale.eventAt(-0.5), -1);
    EXPECT_EQ(scale.eventAt(0), 0);
    EXPECT_EQ(scale.eventAt(3.9), 1);
    EXPECT_EQ(scale.eventAt(4), 2);
    EXPECT_EQ(scale.eventAt(7), 2); // only the other run has events here, so this one stays at its last event
    EXPECT_EQ(scale.eventAt(8.6), 4);
    EXPECT_EQ(scale.eventAt(100), 4);
}

TEST(EventScaleAligned, TellsTheFirstEventFromAPlaceOn)
{
    const EventScale scale = twoStretches();
    EXPECT_EQ(scale.firstEventFrom(-3), -1);
    EXPECT_EQ(scale.firstEventFrom(-0.5), 0);
    EXPECT_EQ(scale.firstEventFrom(2), 1);
    EXPECT_EQ(scale.firstEventFrom(2.1), 2);
    EXPECT_EQ(scale.firstEventFrom(5), 3);
    EXPECT_EQ(scale.firstEventFrom(7), 3);
    EXPECT_EQ(scale.firstEventFrom(8.6), 5);
}

TEST(EventScaleAligned, KnowsWhereItsRunIsOn)
{
    const EventScale scale = twoStretches();
    EXPECT_FALSE(scale.covers(-1.5));
    EXPECT_TRUE(scale.covers(-1));
    EXPECT_TRUE(scale.covers(5.9));
    EXPECT_FALSE(scale.covers(6));
    EXPECT_FALSE(scale.covers(7.9));
    EXPECT_TRUE(scale.covers(8));
    EXPECT_FALSE(scale.covers(9));
}

TEST(EventScaleAligned, FindsEveryEventAtItsPlaceWhateverTheRounding)
{
    const EventScale scale({{0, 7, 0, 11}, {7, 1000, 11, 12.1}});
    for (std::int64_t event = 0; event < scale.eventCount(); ++event) {
        EXPECT_EQ(scale.eventAt(scale.positionOf(event)), event);
        EXPECT_EQ(scale.firstEventFrom(scale.positionOf(event)), event);
    }
}

} // namespace highwater
