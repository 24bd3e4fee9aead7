#include "importers/pickle/pickle_writer.h"

#include <limits>

#include <gtest/gtest.h>

namespace highwater {

namespace {

std::string written(std::int64_t number)
{
    return pickle::Writer().integer(number).bytes();
}

} // namespace

TEST(PickleWriter, WritesNumbersInTheShortestForm)
{
    EXPECT_EQ(written(255), "K\xff");
    EXPECT_EQ(written(256), std::string("M\0\1", 3));
    EXPECT_EQ(written(65536), std::string("J\0\0\1\0", 5));
    EXPECT_EQ(written(-1), "J\xff\xff\xff\xff");
    EXPECT_EQ(written(std::int64_t{1} << 31), std::string("\x8a\5\0\0\0\x80\0", 7));
    EXPECT_EQ(written(std::int64_t{0x7f0000000000}), std::string("\x8a\6\0\0\0\0\0\x7f", 8));
    EXPECT_EQ(
        written(std::numeric_limits<std::int64_t>::min()), std::string("\x8a\x08\0\0\0\0\0\0\0\x80", 10));
}

TEST(PickleWriter, WritesAddressesOfTheUpperHalfWithNineBytes)
{
    EXPECT_EQ(pickle::Writer().integer(std::uint64_t{1} << 63).bytes(),
        std::string("\x8a\x09\0\0\0\0\0\0\0\x80\0", 11));
}

TEST(PickleWriter, WritesTheLengthOfATextWithOneByteOrFour)
{
    EXPECT_EQ(pickle::Writer().text("ab").bytes(), "\x8c\2ab");
    EXPECT_EQ(
        pickle::Writer().text(std::string(256, 'a')).bytes().substr(0, 6), std::string("X\0\1\0\0a", 6));
}

} // namespace highwater
