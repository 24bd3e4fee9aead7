#include "importers/source/read_buffer.h"

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"

namespace highwater {

namespace {

std::string countingBytes(std::size_t count)
{
    std::string bytes(count, '\0');
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<char>(i * 31 + i / 256);
    return bytes;
}

} // namespace

class ReadBufferOfPieces : public testing::TestWithParam<std::size_t>
{
};

TEST_P(ReadBufferOfPieces, GivesEveryByteOnceInOrder)
{
    const std::string bytes = countingBytes(GetParam() < 100 ? 20'000 : 700'000);
    test::PiecewiseSource source(bytes, GetParam());
    ReadBuffer buffer(source);
    std::string got;
    for (std::size_t token = 1;; token = token % 4093 + 1) {
        ASSERT_TRUE(buffer.ensure(token));
        const std::size_t take = std::min(token, buffer.available());
        if (take == 0)
            break;
        ASSERT_EQ(buffer.offsetOf(buffer.cursor()), got.size());
        got.append(reinterpret_cast<const char*>(buffer.cursor()), take);
        buffer.setCursor(buffer.cursor() + take);
    }
    EXPECT_TRUE(got == bytes);
    EXPECT_TRUE(buffer.sourceEnded());
}

INSTANTIATE_TEST_SUITE_P(Pieces, ReadBufferOfPieces, testing::Values(1, 7, 4096, 256 * 1024, 1 << 20));

TEST(ReadBuffer, HasZeroesBehindTheEnd)
{
    test::PiecewiseSource source(std::string(100, 'x'), 9);
    ReadBuffer buffer(source);
    ASSERT_TRUE(buffer.ensure(200));
    EXPECT_EQ(buffer.available(), 100u);
    for (std::size_t i = 0; i < ReadBuffer::kPadding; ++i)
        EXPECT_EQ(buffer.end()[i], 0);
}

TEST(ReadBuffer, CanBeFilledToItsCapacity)
{
    test::PiecewiseSource source(countingBytes(ReadBuffer::kCapacity + 10), 1000);
    ReadBuffer buffer(source);
    ASSERT_TRUE(buffer.ensure(ReadBuffer::kCapacity));
    EXPECT_EQ(buffer.available(), ReadBuffer::kCapacity);
}

TEST(ReadBuffer, KeepsWhatStandsBeforeAnError)
{
    test::PiecewiseSource source("abc", 2, Error{ErrorCode::CannotRead, "the disk is gone", {}});
    ReadBuffer buffer(source);
    EXPECT_FALSE(buffer.ensure(10));
    EXPECT_EQ(buffer.available(), 3u);
    EXPECT_TRUE(buffer.sourceEnded());
}

} // namespace highwater
