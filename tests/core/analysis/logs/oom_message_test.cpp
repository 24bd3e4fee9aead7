#include "core/analysis/logs/oom_message.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

WrittenBytes gib(double number)
{
    return {static_cast<Bytes>(number * static_cast<double>(kGiB)), kGiB / 200};
}

OomFigures figures(double requested, double capacity, double free, double allocated, double unallocated)
{
    OomFigures f;
    f.requested = gib(requested);
    f.capacity = gib(capacity);
    f.free = gib(free);
    f.allocated = gib(allocated);
    f.reservedUnallocated = gib(unallocated);
    return f;
}

} // namespace

TEST(OomReading, SaysThatFragmentationIsPossible)
{
    const OomReading reading = readOom(figures(1, 80, 0.5, 70, 2));
    EXPECT_EQ(reading.cause, OomCause::Fragmentation);
    EXPECT_EQ(reading.verdict,
        "fragmentation is possible: 1.00 GiB requested, and 2.00 GiB reserved but unallocated would do in "
        "one "
        "piece; 512.00 MiB free on the device");
    EXPECT_EQ(reading.reserved->bytes, 72 * kGiB);
    EXPECT_TRUE(reading.contradictions.empty());
}

TEST(OomReading, SaysByHowMuchItIsTooBig)
{
    const OomReading reading = readOom(figures(4, 80, 1, 76, 2));
    EXPECT_EQ(reading.cause, OomCause::TooBig);
    EXPECT_EQ(reading.verdict,
        "fragmentation is not the cause: 4.00 GiB requested > 2.00 GiB reserved but unallocated + 1.00 GiB "
        "free on "
        "the device: 1.00 GiB too much even without any waste");
}

TEST(OomReading, NamesTheLimitThatForbadeWhatWasFree)
{
    OomFigures f = figures(1, 80, 40, 30, 0);
    f.allowed = gib(30);
    EXPECT_EQ(readOom(f).cause, OomCause::Unexplained);
    EXPECT_EQ(readOom(f).verdict,
        "fragmentation is not the cause: 1.00 GiB requested, and 40.00 GiB free on the device would do; the "
        "process "
        "may have 30.00 GiB only");
}

TEST(OomReading, OfTheReferenceCaseR4PointsOutTheContradiction)
{
    OomFigures f;
    f.requested = gib(17.66);
    f.capacity = gib(79.18);
    f.free = gib(4.97);
    f.allocated = gib(100.77);
    const OomReading reading = readOom(f);
    ASSERT_EQ(reading.contradictions.size(), 1u);
    EXPECT_EQ(
        reading.contradictions[0], "100.77 GiB allocated on a GPU of 79.18 GiB: 21.59 GiB more than it has");
    EXPECT_EQ(reading.cause, OomCause::Unknown);
}

TEST(OomReading, DoesNotTakeRoundingForAContradiction)
{
    EXPECT_TRUE(readOom(figures(1, 80, 0.01, 79.995, 0)).contradictions.empty());
    EXPECT_EQ(readOom(figures(1, 80, 1, 79.5, 0)).contradictions,
        std::vector<std::string>{"79.50 GiB allocated + 1.00 GiB free = 80.50 GiB on a GPU of 80.00 GiB"});
}

TEST(OomReading, ComputesTheShareOutsideOfPyTorch)
{
    OomFigures f = figures(1, 80, 0, 70, 2);
    f.processUsed = gib(75);
    f.otherProcesses = {{1, gib(3)}, {2, gib(1)}};
    EXPECT_EQ(readOom(f).outsidePyTorch, 3 * kGiB);
    EXPECT_EQ(readOom(f).otherProcesses, 4 * kGiB);
    f.processUsed = gib(60);
    EXPECT_EQ(readOom(f).contradictions,
        std::vector<std::string>{"72.00 GiB held by PyTorch in a process that uses 60.00 GiB"});
}

TEST(OomReading, TakesTheUnallocatedFromTheReservedOfOlderMessages)
{
    OomFigures f = figures(1, 8, 0, 4, 0);
    f.reservedUnallocated.reset();
    f.reserved = gib(7);
    EXPECT_EQ(readOom(f).unallocated->bytes, 3 * kGiB);
    EXPECT_EQ(readOom(f).cause, OomCause::Fragmentation);
}

} // namespace highwater
