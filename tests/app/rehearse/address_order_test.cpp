#include <gtest/gtest.h>

#include "app/rehearse/address_order.h"

namespace highwater::rehearse {

TEST(AddressOrder, DownNamesNoRegion)
{
    EXPECT_TRUE(addressOrderFrom("down")->empty());
}

TEST(AddressOrder, UpIsOneRegionOfAllAddresses)
{
    const auto order = addressOrderFrom("up");
    ASSERT_EQ(order->size(), 1u);
    EXPECT_EQ(order->front().begin, 0u);
}

TEST(AddressOrder, RegionsKeepTheirOrderAndCountFromTheLowest)
{
    const auto order = addressOrderFrom("0x710000000-0x775200000,0x704400000-710000000");
    ASSERT_TRUE(order);
    EXPECT_EQ(*order, (AddressOrder{{0xbc00000, 0x70e00000}, {0, 0xbc00000}}));
    EXPECT_EQ(toText(*order), "bc00000-70e00000,0-bc00000");
}

TEST(AddressOrder, RefusesWhatIsNoListOfRegionsApart)
{
    for (const char* text : {"", "sideways", "0x10", "0x20-0x10", "0x10-0x20;", "1-3,2-4", "1-2,-"})
        EXPECT_FALSE(addressOrderFrom(text)) << text;
    std::string many = "0-1";
    for (int i = 1; i <= 32; ++i)
        many += "," + std::to_string(10 * i) + "-" + std::to_string(10 * i + 1);
    EXPECT_FALSE(addressOrderFrom(many));
}

} // namespace highwater::rehearse
