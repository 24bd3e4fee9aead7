#include "core/analysis/usage/address_owners.h"

#include <gtest/gtest.h>

#include "core/analysis/segments/address_place.h"
#include "tests/core/analysis/snapshot_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

using Owners = std::vector<AllocationIndex>;

TEST(AddressOwners, AreEveryAllocationThatContainedTheAddressInTheOrderOfTime)
{
    const auto trace = test::traceFromText("alloc a 4096\nfree a\nalloc b 4096\nalloc a 8192\nend");
    const AllocationTable table(*trace, 0); // 0: the first a, 1: b, 2: the second a
    EXPECT_EQ(AddressOwners(table).of(test::addressOfName(0) + 100), (Owners{0, 2}));
    EXPECT_EQ(AddressOwners(table).of(test::addressOfName(0) + 4096), (Owners{2}));
    EXPECT_EQ(AddressOwners(table).of(test::addressOfName(1) + 4096), (Owners{}));
    EXPECT_EQ(AddressOwners(table).of(test::addressOfName(1) - 1), (Owners{}));
}

TEST(AddressOwners, BeginWithThoseOfBeforeTheRecordingTheEarliestFreedFirst)
{
    const auto trace = test::traceFromText("free_once a\nalloc b 512\nalloc a 512\nfree_once a\nfinal a 512");
    const AllocationTable table(*trace, 0);
    const Owners owners = AddressOwners(table).of(test::addressOfName(0));
    ASSERT_GE(owners.size(), 2u);
    EXPECT_EQ(table.birth(owners.front()), AllocationTable::kBeforeTrace);
    EXPECT_EQ(table.death(owners.front()), 0);
    EXPECT_EQ(table.birth(owners[1]), 2);
}

TEST(AddressOwners, HaveTheBytesThatRoundingAdds)
{
    const auto trace = test::traceFromText("alloc a 100\nfree a\nalloc b 1000\nend");
    const AllocationTable table(*trace, 0);
    const AddressOwners owners(table);
    EXPECT_EQ(owners.of(test::addressOfName(1) + 1023), (Owners{1}));
    EXPECT_TRUE(owners.isInPadding(1, test::addressOfName(1) + 1000));
    EXPECT_FALSE(owners.isInPadding(1, test::addressOfName(1) + 999));
    EXPECT_EQ(owners.of(test::addressOfName(1) + 1024), (Owners{}));
}

TEST(AddressOwners, NameTheOneThatIsAliveAtAMoment)
{
    const auto trace = test::traceFromText("alloc a 4096\nfree a\nalloc b 1\nalloc a 8192\nend");
    const AllocationTable table(*trace, 0);
    const Owners owners = AddressOwners(table).of(test::addressOfName(0));
    EXPECT_EQ(ownerAt(table, owners, 0), 0u);
    EXPECT_EQ(ownerAt(table, owners, 3), AllocationTable::kNoAllocation);
    EXPECT_EQ(ownerAt(table, owners, 4), 2u);
    EXPECT_EQ(ownerAt(table, owners, -1), AllocationTable::kNoAllocation);
}

TEST(AddressPlace, SaysIfTheAddressIsInUseFreeOrInNoSegment)
{
    const auto trace = test::snapshotTrace("tiny-hand-checked");
    const AllocationTable table(*trace, 0);
    const LiveIndex live(table);
    const SegmentHistory history(*trace, table, live);
    const auto useAt = [&](std::int64_t event, Address address) {
        return toText(placeOf(history.at(event), address).use);
    };
    EXPECT_EQ(useAt(16, 0x7f3a00600000), "in_use");
    EXPECT_EQ(useAt(14, 0x7f3a00600000), "free");
    EXPECT_EQ(useAt(-1, 0x7f3a00600000), "not_reserved");
    EXPECT_EQ(useAt(16, 0x10), "not_reserved");
    EXPECT_EQ(placeOf(history.at(16), 0x7f3a00600000).segment->begin, Address{0x7f3a00000000});
}

TEST(AddressOwners, OfASampleAreThoseFoundByHand)
{
    const auto trace = test::snapshotTrace("tiny-hand-checked");
    const AllocationTable table(*trace, 0);
    EXPECT_EQ(AddressOwners(table).of(0x7f3a00600000), (Owners{4, 6}));
}

TEST(AddressFromText, TakesOnlyCompleteHexadecimalNumbersWithTheirPrefix)
{
    EXPECT_EQ(addressFromText("0x7f3a00001400"), Address{0x7f3a00001400});
    EXPECT_EQ(addressFromText(" 0X7F3A00001400 "), Address{0x7f3a00001400});
    for (const char* text : {"7f3a00001400", "0x", "0xzz", "0x7f model.py", "0x11112222333344445", ""})
        EXPECT_EQ(addressFromText(text), std::nullopt) << text;
}

} // namespace highwater
