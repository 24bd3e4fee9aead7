#include "core/analysis/usage/allocator_rounding.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace highwater {

namespace {

RoundingSettings everywhere(std::int64_t divisions)
{
    RoundingSettings settings;
    settings.divisions.fill(divisions);
    return settings;
}

} // namespace

TEST(AllocatorRounding, MakesBlocksOfWhole512Bytes)
{
    EXPECT_EQ(roundedSize(1), 512);
    EXPECT_EQ(roundedSize(512), 512);
    EXPECT_EQ(roundedSize(513), 1024);
    EXPECT_EQ(roundedSize(10 * kMiB + 1), 10 * kMiB + 512);
}

TEST(AllocatorRounding, GivesTheSmallestBlockForNothing)
{
    EXPECT_EQ(roundedSize(0), 512);
}

TEST(AllocatorRounding, StepsBetweenPowersOfTwoAsTheAllocatorsDocumentationSays)
{
    // Example from PyTorch's notes on memory management: 1200 with four divisions is between 1024 and 2048,
    // whose steps are 1280, 1536 and 1792.
    EXPECT_EQ(roundedSize(1200 * kMiB, everywhere(4)), 1280 * kMiB);
    EXPECT_EQ(roundedSize(1280 * kMiB, everywhere(4)), 1280 * kMiB);
    EXPECT_EQ(roundedSize(1793 * kMiB, everywhere(4)), 2048 * kMiB);
    EXPECT_EQ(roundedSize(1024 * kMiB, everywhere(4)), 1024 * kMiB);
}

TEST(AllocatorRounding, CountsDivisionsDownToAPowerOfTwo)
{
    EXPECT_EQ(roundedSize(1200 * kMiB, everywhere(7)), roundedSize(1200 * kMiB, everywhere(4)));
}

TEST(AllocatorRounding, LeavesSmallRequestsToThe512Bytes)
{
    EXPECT_EQ(roundedSize(2048, everywhere(4)), 2048);
    EXPECT_EQ(roundedSize(1500, everywhere(4)), 1536);
    EXPECT_EQ(roundedSize(2049, everywhere(4)), 2560);
}

TEST(AllocatorRounding, DoesNotDivideByOneOrNothing)
{
    EXPECT_EQ(roundedSize(1200 * kMiB + 1, everywhere(1)), 1200 * kMiB + 512);
    EXPECT_EQ(roundedSize(1200 * kMiB + 1, everywhere(0)), 1200 * kMiB + 512);
    EXPECT_EQ(roundedSize(1200 * kMiB + 1, everywhere(-4)), 1200 * kMiB + 512);
}

TEST(AllocatorRounding, GoesByTheIntervalOfTheRequest)
{
    RoundingSettings settings;
    settings.divisions[1] = 2; // from 2 MiB on
    EXPECT_EQ(roundedSize(2 * kMiB + 1, settings), 3 * kMiB);
    EXPECT_EQ(roundedSize(4 * kMiB + 1, settings), 4 * kMiB + 512);
    EXPECT_EQ(roundedSize(1 * kMiB + 1, settings), 1 * kMiB + 512);
}

TEST(AllocatorRounding, UsesTheOuterIntervalsBeyondThem)
{
    RoundingSettings settings;
    settings.divisions.front() = 2;
    settings.divisions.back() = 2;
    EXPECT_EQ(roundedSize(513 * kKiB, settings), 768 * kKiB);
    EXPECT_EQ(roundedSize(65 * kGiB, settings), 96 * kGiB);
}

TEST(AllocatorRounding, LeavesAbsurdSizesAlone)
{
    constexpr Bytes largest = std::numeric_limits<Bytes>::max();
    EXPECT_EQ(roundedSize(largest), largest);
    EXPECT_EQ(roundedSize(largest / 4, everywhere(2)), Bytes{1} << 61);
    EXPECT_EQ(roundedSize(-5), -5);
    EXPECT_EQ(roundedSize(kGiB + 1, everywhere(largest)), kGiB + 512);
}

TEST(AllocatorRounding, ReadsTheDivisionsThatTheFileRecords)
{
    TraceMetadata metadata;
    metadata.settings = {{"expandable_segments", "false"}, {"roundup_power2_divisions.1", "4"},
        {"roundup_power2_divisions.32768", "8"}, {"roundup_power2_divisions.3", "2"},
        {"roundup_power2_divisions.x", "2"}, {"roundup_power2_divisions.65536", "2"}};
    const RoundingSettings settings = roundingSettings(metadata);
    EXPECT_EQ(settings.divisions.front(), 4);
    EXPECT_EQ(settings.divisions.back(), 8);
    EXPECT_EQ(std::count(settings.divisions.begin(), settings.divisions.end(), 0), 14);
}

TEST(AllocatorRounding, IsKnownForRequestedBytesOfADeviceOnly)
{
    Device device;
    EXPECT_TRUE(hasKnownRounding(device));
    device.quantity = Quantity::Allocated;
    EXPECT_FALSE(hasKnownRounding(device));
    device.quantity = Quantity::Requested;
    device.kind = DeviceKind::HostPinned;
    EXPECT_FALSE(hasKnownRounding(device));
}

TEST(AllocatorRounding, IsNotKnownForEventsAlone)
{
    Device device;
    device.hasFinalSegments = false;
    EXPECT_FALSE(hasKnownRounding(device));
}

} // namespace highwater
