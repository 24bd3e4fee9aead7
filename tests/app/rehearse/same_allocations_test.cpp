#include "app/rehearse/same_allocations.h"

#include <gtest/gtest.h>

#include "tests/support/snapshot_builder.h"

namespace highwater::rehearse {

namespace {

using test::SnapshotBuilder;

std::shared_ptr<const Trace> allocating(const std::vector<Bytes>& sizes)
{
    SnapshotBuilder builder;
    Bytes address = 4096;
    for (const Bytes size : sizes) {
        builder.alloc(address, size);
        address += 1 << 20;
    }
    return builder.finish();
}

} // namespace

TEST(SameAllocations, AreTheSameSizesInTheSameOrder)
{
    EXPECT_EQ(firstDifference(*allocating({512, 1024}), *allocating({512, 1024})), std::nullopt);
    EXPECT_NE(firstDifference(*allocating({512, 1024}), *allocating({1024, 512})), std::nullopt);
}

TEST(SameAllocations, EndWhereOneRunGoesOn)
{
    EXPECT_NE(firstDifference(*allocating({512}), *allocating({512, 512})), std::nullopt);
    EXPECT_NE(firstDifference(*allocating({512, 512}), *allocating({512})), std::nullopt);
}

TEST(SameAllocations, MayBeFreedInAnotherOrderButNotWithAnotherPeak)
{
    const auto freed = [](bool early) {
        SnapshotBuilder builder;
        builder.alloc(4096, 512).alloc(8192, 512);
        if (early)
            builder.free(4096, 512);
        builder.alloc(16384, 512);
        if (!early)
            builder.free(4096, 512);
        return builder.finish();
    };
    EXPECT_EQ(firstDifference(*freed(true), *freed(true)), std::nullopt);
    EXPECT_NE(firstDifference(*freed(true), *freed(false)), std::nullopt);
}

} // namespace highwater::rehearse
