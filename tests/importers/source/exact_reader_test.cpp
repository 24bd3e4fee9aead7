#include "importers/source/exact_reader.h"

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"

namespace highwater {

TEST(ExactReader, JoinsPieces)
{
    test::PiecewiseSource source("abcdefgh", 3);
    ExactReader reader(source, "ends early");
    char head[2] = {};
    ASSERT_TRUE(reader.read(head, sizeof head));
    std::string rest;
    ASSERT_TRUE(reader.readInto(rest, 6));
    EXPECT_EQ(std::string(head, sizeof head) + rest, "abcdefgh");
    EXPECT_EQ(reader.offset(), 8u);
}

TEST(ExactReader, SaysWhereTheSourceEnds)
{
    test::PiecewiseSource source("abcdefgh", 3);
    ExactReader reader(source, "ends early");
    std::string bytes;
    const Result<void> outcome = reader.readInto(bytes, std::uint64_t{1} << 62);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(toText(outcome.error()), "ends early (at byte 8)");
}

} // namespace highwater
