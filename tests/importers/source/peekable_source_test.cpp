#include "importers/source/peekable_source.h"

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

TEST(MemorySource, GivesItsBytesAndPosition)
{
    MemorySource source("abcdef");
    std::string buffer(4, ' ');
    EXPECT_EQ(source.read(std::as_writable_bytes(std::span(buffer))).value(), 4u);
    EXPECT_EQ(source.position().consumed, 4u);
    EXPECT_EQ(source.position().total, 6u);
}

} // namespace highwater
