#include "importers/source/peekable_source.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"

namespace highwater {

TEST(PeekableSource, GivesWhatWasPeekedAgain)
{
    PeekableSource source(std::make_unique<test::PiecewiseSource>("hello world", 3));
    EXPECT_EQ(source.peek(5).value(), "hello");
    EXPECT_EQ(test::readAll(source, 4).value(), "hello world");
}

TEST(PeekableSource, PeeksLessOnlyAtTheEnd)
{
    PeekableSource source(std::make_unique<test::PiecewiseSource>("abc", 1));
    EXPECT_EQ(source.peek(100).value(), "abc");
    EXPECT_EQ(source.peek(2).value(), "ab");
}

TEST(PeekableSource, PeeksNothingOfNothing)
{
    PeekableSource source(std::make_unique<test::PiecewiseSource>("", 1));
    EXPECT_EQ(source.peek(10).value(), "");
}

TEST(PeekableSource, GivesTheBytesBeforeAnErrorFirst)
{
    PeekableSource source(
        std::make_unique<test::PiecewiseSource>("abc", 2, Error{ErrorCode::CannotRead, "gone", {}}));
    EXPECT_EQ(source.peek(10).value(), "abc");
    std::string buffer(10, ' ');
    EXPECT_EQ(source.read(std::as_writable_bytes(std::span(buffer))).value(), 3u);
    EXPECT_FALSE(source.read(std::as_writable_bytes(std::span(buffer))));
}

TEST(PeekableSource, FailsToPeekWhereNothingStandsBeforeTheError)
{
    PeekableSource source(
        std::make_unique<test::PiecewiseSource>("", 2, Error{ErrorCode::CannotRead, "gone", {}}));
    EXPECT_EQ(source.peek(10).error().message, "gone");
}

TEST(PeekableSource, AsksForLittleMoreThanThereIs)
{
    std::size_t largest = 0;
    class Watched : public ByteSource
    {
    public:
        Watched(std::size_t bytes, std::size_t& asked)
            : m_left(bytes)
            , m_largest(asked)
        {
        }
        Result<std::size_t> read(std::span<std::byte> buffer) override
        {
            m_largest = std::max(m_largest, buffer.size());
            const std::size_t count = std::min(buffer.size(), m_left);
            std::fill_n(buffer.begin(), count, std::byte{'x'});
            m_left -= count;
            return count;
        }
        SourcePosition position() const override { return {}; }

    private:
        std::size_t m_left;
        std::size_t& m_largest;
    };
    const std::size_t wanted = std::size_t{256} << 20;
    PeekableSource few(std::make_unique<Watched>(4'000, largest));
    EXPECT_EQ(few.peek(wanted).value().size(), 4'000u);
    EXPECT_LE(largest, std::size_t{64} << 10);
    PeekableSource many(std::make_unique<Watched>(5 << 20, largest));
    EXPECT_EQ(many.peek(wanted).value().size(), std::size_t{5} << 20);
    EXPECT_LE(largest, std::size_t{8} << 20) << "grows with what has come";
}

TEST(MemorySource, GivesItsBytesAndPosition)
{
    MemorySource source("abcdef");
    std::string buffer(4, ' ');
    EXPECT_EQ(source.read(std::as_writable_bytes(std::span(buffer))).value(), 4u);
    EXPECT_EQ(source.position().consumed, 4u);
    EXPECT_EQ(source.position().total, 6u);
}

} // namespace highwater
