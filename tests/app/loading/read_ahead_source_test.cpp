#include "app/loading/read_ahead_source.h"

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"

namespace highwater {

namespace {

std::string manyBytes(std::size_t count)
{
    std::string bytes(count, '\0');
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<char>(i * 7 + i / 1000);
    return bytes;
}

} // namespace

class ReadAheadOf : public testing::TestWithParam<std::size_t>
{
};

TEST_P(ReadAheadOf, GivesTheSameBytes)
{
    const std::string bytes = manyBytes(GetParam());
    for (const std::size_t piece : {1000u, 1u << 20}) {
        const auto source = readAhead(std::make_unique<test::PiecewiseSource>(bytes, piece));
        EXPECT_TRUE(test::readAll(*source, 70'001).value() == bytes);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Lengths, ReadAheadOf, testing::Values(0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 3'000'000));

TEST(ReadAhead, GivesTheBytesBeforeAnErrorFirst)
{
    const std::string bytes = manyBytes(600'000);
    const auto source = readAhead(
        std::make_unique<test::PiecewiseSource>(bytes, 1000, Error{ErrorCode::CannotRead, "gone", {}}));
    std::string got(bytes.size(), '\0');
    std::size_t filled = 0;
    while (filled < bytes.size())
        filled += source->read(std::as_writable_bytes(std::span(got).subspan(filled))).value();
    EXPECT_TRUE(got == bytes);
    EXPECT_EQ(source->read(std::as_writable_bytes(std::span(got))).error().message, "gone");
}

TEST(ReadAhead, StaysAtTheEnd)
{
    const auto source = readAhead(std::make_unique<test::PiecewiseSource>("abc", 10));
    EXPECT_EQ(test::readAll(*source).value(), "abc");
    EXPECT_EQ(test::readAll(*source).value(), "");
}

/// Returns some bytes, then throws in the reading thread.
class ThrowingSource : public ByteSource
{
public:
    Result<std::size_t> read(std::span<std::byte> into) override
    {
        if (m_isRead)
            throw std::bad_alloc();
        m_isRead = true;
        return into.size();
    }
    SourcePosition position() const override { return {}; }

private:
    bool m_isRead = false;
};

TEST(ReadAhead, ThrowsWhatTheSourceThrowsBehindTheBytesBeforeIt)
{
    std::string bytes(256 * 1024, ' ');
    const auto source = readAhead(std::make_unique<ThrowingSource>());
    EXPECT_EQ(source->read(std::as_writable_bytes(std::span(bytes))).value(), bytes.size());
    EXPECT_THROW(source->read(std::as_writable_bytes(std::span(bytes))), std::bad_alloc);
}

TEST(ReadAhead, CanBeGivenUpBeforeTheEnd)
{
    for (int i = 0; i < 20; ++i) {
        const auto source = readAhead(std::make_unique<test::PiecewiseSource>(manyBytes(5'000'000), 1 << 16));
        std::string few(10, ' ');
        if (i % 2 == 1) {
            EXPECT_EQ(source->read(std::as_writable_bytes(std::span(few))).value(), 10u);
        }
    }
}

TEST(ReadAhead, TellsThePositionOfWhatWasHandedOut)
{
    const auto source = readAhead(std::make_unique<test::PiecewiseSource>(manyBytes(3'000'000), 1 << 20));
    EXPECT_EQ(source->position().consumed, 0u);
    test::readAll(*source);
    EXPECT_EQ(source->position().consumed, 3'000'000u);
    EXPECT_EQ(source->position().total, 3'000'000u);
}

} // namespace highwater
