#include "core/analysis/device/lost_start.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

std::optional<LostStart> lostStartOf(const char* text)
{
    const auto trace = test::traceFromText(text);
    return lostStart(AllocationTable(*trace, 0));
}

} // namespace

TEST(LostStart, IsShownByBlocksWhoseAllocationTheRecorderSaw)
{
    const auto lost = lostStartOf(
        "stack s = train.py:3 f\nalloc a 100 @s t=7\nend\nfinal b 500 @s\nfinal c 600 @s\nfinal old 70");
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->allocationsAtLeast, 2);
    EXPECT_EQ(lost->wholeFrom, 7000);
    EXPECT_EQ(toText(*lost),
        "at least 2 earlier allocations are lost; from event 0 on (1970-01-01 00:00:00.000007 UTC), no event "
        "is "
        "missing");
}

TEST(LostStart, IsNotShownByAFewBlocksOfAnEarlierRecording)
{
    EXPECT_FALSE(lostStartOf("stack s = train.py:3 f\nalloc a 100 @s\nend\nfinal b 500 @s\nfinal old 700"));
    EXPECT_FALSE(lostStartOf("stack s = train.py:3 f\nalloc a 100 @s\nend\nfinal old 700"));
}

TEST(LostStart, IsNotJudgedWithoutEvents)
{
    EXPECT_FALSE(lostStartOf("stack s = train.py:3 f\nfinal b 500 @s"));
}

TEST(LostStart, SaysSoIfNothingTellsHowMuchIsLost)
{
    EXPECT_EQ(toText(LostStart()),
        "earlier events are lost, and the file does not show how many; from event 0 on, no event is missing");
}

TEST(LostStart, IsToldByTheTitleOfItsFinding)
{
    EXPECT_TRUE(tellsLostStart("The recording starts late: 2 GiB at the peak was allocated before it"));
    EXPECT_TRUE(tellsLostStart("The profiler started late: 2 GiB at the peak was allocated before it"));
    EXPECT_FALSE(tellsLostStart("2 GiB of the peak has no stack"));
}

} // namespace highwater
