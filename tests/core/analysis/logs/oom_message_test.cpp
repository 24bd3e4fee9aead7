#include "core/analysis/logs/oom_message.h"

#include <gtest/gtest.h>

#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

WrittenBytes writtenGib(double number)
{
    return {static_cast<Bytes>(number * static_cast<double>(kGiB)), kGiB / 200};
}

struct Message : LogEvent
{
    explicit Message(const OomFigures& all) { figures = all; }
};

OomFigures figures(double requested, double capacity, double free, double allocated, double unallocated)
{
    OomFigures f;
    f.requested = writtenGib(requested);
    f.capacity = writtenGib(capacity);
    f.free = writtenGib(free);
    f.allocated = writtenGib(allocated);
    f.reservedUnallocated = writtenGib(unallocated);
    return f;
}

OomReading read(const OomFigures& figures)
{
    return readOom(Message(figures));
}

} // namespace

TEST(OomReading, SaysThatFragmentationIsPossible)
{
    const OomReading reading = read(figures(1, 80, 0.5, 70, 9));
    EXPECT_EQ(reading.cause, OomCause::Fragmentation);
    EXPECT_EQ(reading.unallocated->bytes, 9 * kGiB);
    EXPECT_TRUE(
        test::hasParts(reading.verdict, {"likely", "1 GiB requested", "9 GiB reserved", "512 MiB free"}));
    EXPECT_EQ(reading.reserved->bytes, 79 * kGiB);
    EXPECT_TRUE(reading.contradictions.empty());
}

TEST(OomReading, SaysByHowMuchItIsTooBig)
{
    const OomReading reading = read(figures(5, 80, 1, 76, 2));
    EXPECT_EQ(reading.cause, OomCause::TooBig);
    EXPECT_TRUE(
        test::hasParts(reading.verdict, {"5 GiB requested", "2 GiB reserved", "1 GiB free", "2 GiB short"}));
}

TEST(OomReading, SaysThatTheDeviceWasFullWhereWasteMattersLittle)
{
    EXPECT_EQ(read(figures(1, 80, 0.5, 77, 2)).cause, OomCause::Full);
    EXPECT_TRUE(test::hasParts(read(figures(1, 80, 0.5, 77, 2)).verdict,
        {"1 GiB requested", "2 GiB reserved", "512 MiB free", "80 GiB"}));
    EXPECT_EQ(read(figures(1, 80, 0.1, 79, 0.1)).cause, OomCause::Full)
        << "also where even all is too little";
}

TEST(OomReading, NamesTheLimitThatForbadeWhatWasFree)
{
    OomFigures f = figures(1, 80, 40, 29.5, 0);
    f.allowed = writtenGib(30);
    EXPECT_EQ(read(f).cause, OomCause::ProcessCap);
    EXPECT_TRUE(test::hasParts(read(f).verdict, {"1 GiB requested", "29.5 GiB", "30 GiB", "40 GiB free"}));
    f.free = writtenGib(0.5);
    EXPECT_NE(read(f).cause, OomCause::ProcessCap) << "the device could not have given it either";
    f = figures(1, 80, 40, 10, 0);
    f.allowed = writtenGib(30);
    EXPECT_EQ(read(f).cause, OomCause::Unexplained) << "the limit was not reached";
}

TEST(OomReading, NamesTheProcessWithoutWhichTheRequestWouldFit)
{
    OomFigures f = figures(1, 180, 0.3, 79, 0.5);
    f.processUsed = writtenGib(81);
    f.otherProcesses = {{592502, writtenGib(96.66)}};
    EXPECT_EQ(read(f).cause, OomCause::OtherProcess);
    ASSERT_EQ(read(f).foreign.size(), 1u);
    EXPECT_EQ(read(f).foreign[0].process, 592502);
    EXPECT_TRUE(test::hasParts(
        read(f).verdict, {"1 GiB requested", "307.2 MiB free", "process 592502 holds 96.66 GiB"}));
    f.otherProcesses = {{592502, writtenGib(0.9)}};
    EXPECT_EQ(read(f).cause, OomCause::Full) << "an ordinary context";
    f.otherProcesses = {{592502, writtenGib(96.66)}};
    f.requested = writtenGib(120);
    EXPECT_EQ(read(f).cause, OomCause::TooBig) << "more than the others hold";
}

TEST(OomReading, TakesThisProcessUnderAnotherNumberForNoOther)
{
    OomFigures f = figures(1, 80, 0.3, 70, 8);
    f.otherProcesses = {{7, writtenGib(79)}};
    EXPECT_TRUE(read(f).foreign.empty());
    EXPECT_EQ(read(f).cause, OomCause::Fragmentation);
}

TEST(OomReading, SaysWhereASegmentMayNotBecomeAsLarge)
{
    // The names are those that PyTorch's own test expects in this message.
    Message message(figures(20, 80, 60, 10, 0));
    EXPECT_EQ(readOom(message).cause, OomCause::Unexplained);
    message.text = "CUDA out of memory. Tried to allocate 20.00 GiB. … larger than the expandable-segment "
                   "reserve; raise expandable_segments_reserve";
    EXPECT_EQ(readOom(message).cause, OomCause::ReserveTooSmall);
    EXPECT_TRUE(
        test::hasParts(readOom(message).verdict, {"20 GiB requested", "expandable_segments_reserve"}));
}

TEST(OomReading, SaysWhereTheAllocatorItselfRefused)
{
    OomFigures f;
    f.requested = writtenGib(19.53);
    Message message(f);
    message.text = "CUDA out of memory. Allocation was preemptively rejected because it would exceed "
                   "per_process_memory_fraction limit. Requested size: 19.53 GiB";
    EXPECT_EQ(readOom(message).cause, OomCause::ProcessCap);
    EXPECT_TRUE(test::hasParts(readOom(message).verdict, {"19.53 GiB requested", "throw_on_cudamalloc_oom"}));
}

TEST(OomReading, AsksTheDriverForAWholeSegment)
{
    constexpr double kMib = 1.0 / 1024;
    EXPECT_EQ(read(figures(5 * kMib, 8, 6 * kMib, 7, 0.9)).cause, OomCause::Fragmentation)
        << "a segment for 5 MiB takes 20";
    EXPECT_EQ(read(figures(5 * kMib, 8, 30 * kMib, 7, 0.9)).cause, OomCause::Unexplained);
}

TEST(OomReading, OfTheReferenceCaseR4SaysWhatIsNotOnTheDevice)
{
    OomFigures f;
    f.requested = writtenGib(17.66);
    f.capacity = writtenGib(79.18);
    f.free = writtenGib(4.97);
    f.allocated = writtenGib(100.77);
    const OomReading reading = read(f);
    EXPECT_TRUE(reading.contradictions.empty());
    ASSERT_TRUE(reading.notOnDevice);
    EXPECT_NEAR(static_cast<double>(*reading.notOnDevice), 26.56 * static_cast<double>(kGiB), 1e7);
    EXPECT_EQ(reading.cause, OomCause::Full);
    EXPECT_EQ(reading.verdict, "at least 26.56 GiB of the 100.77 GiB that PyTorch counts is not on the GPU");
}

TEST(OomReading, ARequestAboveTheDeviceComesFirst)
{
    EXPECT_EQ(read(figures(26, 24, 23.5, 0, 0)).cause, OomCause::AboveCapacity);
    EXPECT_EQ(read(figures(23, 24, 10, 13, 0.1)).cause, OomCause::TooBig);
    EXPECT_EQ(read(figures(17'179'869, 80, 5, 70, 2)).cause, OomCause::CorruptRequest);
    OomFigures corrupt;
    corrupt.requestIsCorrupt = true;
    EXPECT_EQ(read(corrupt).cause, OomCause::CorruptRequest);
}

TEST(OomReading, OfMetalComparesWithTheLimit)
{
    OomFigures f;
    f.backend = "MPS";
    f.requested = writtenGib(2);
    f.allocated = writtenGib(20);
    f.outside = writtenGib(15);
    f.allowed = writtenGib(36.2);
    EXPECT_EQ(read(f).cause, OomCause::ProcessCap);
    f.requested = writtenGib(0.2);
    f.allocated = writtenGib(2);
    f.outside = writtenGib(35);
    EXPECT_EQ(read(f).cause, OomCause::OtherProcess);
}

TEST(OomReading, NeedsNoFreeBytesWhereTheCapacityDecides)
{
    OomFigures f;
    f.requested = writtenGib(2);
    f.capacity = writtenGib(11);
    f.allocated = writtenGib(9.5);
    f.reservedUnallocated = writtenGib(0.3);
    EXPECT_EQ(read(f).cause, OomCause::TooBig);
    f.allocated = f.reservedUnallocated = WrittenBytes{};
    EXPECT_EQ(read(f).cause, OomCause::Unexplained);
    f.largestAllowed = writtenGib(1);
    EXPECT_EQ(read(f).cause, OomCause::AllocationLimit);
}

TEST(OomReading, IsFragmentationWhereTheLargestPieceIsTold)
{
    OomFigures f;
    f.requested = writtenGib(2);
    f.free = writtenGib(4);
    f.largestFree = writtenGib(1);
    EXPECT_EQ(read(f).cause, OomCause::Fragmentation);
}

TEST(OomReading, DoesNotTakeRoundingForAContradiction)
{
    EXPECT_TRUE(read(figures(1, 80, 0.01, 79.995, 0)).contradictions.empty());
    const OomReading reading = read(figures(1, 80, 1, 79.5, 0));
    ASSERT_EQ(reading.contradictions.size(), 1u);
    EXPECT_TRUE(test::hasParts(
        reading.contradictions[0], {"79.5 GiB allocated", "1 GiB free", "80.5 GiB", "80 GiB"}));
}

TEST(OomReading, ComputesTheShareOutsideOfPyTorch)
{
    OomFigures f = figures(1, 80, 0, 70, 2);
    f.processUsed = writtenGib(75);
    f.otherProcesses = {{1, writtenGib(3)}, {2, writtenGib(1)}};
    EXPECT_EQ(read(f).outsidePyTorch, 3 * kGiB);
    EXPECT_EQ(read(f).listedProcessBytes, 4 * kGiB);
    f.processUsed = writtenGib(60);
    const OomReading reading = read(f);
    ASSERT_EQ(reading.contradictions.size(), 1u);
    EXPECT_TRUE(test::hasParts(reading.contradictions[0], {"72 GiB", "60 GiB"}));
}

TEST(OomReading, TakesTheUnallocatedFromTheReservedOfOlderMessages)
{
    OomFigures f = figures(1, 8, 0, 4, 0);
    f.reservedUnallocated.reset();
    f.reserved = writtenGib(7);
    EXPECT_EQ(read(f).unallocated->bytes, 3 * kGiB);
    EXPECT_EQ(read(f).cause, OomCause::Fragmentation);
}

} // namespace highwater
