#include "importers/memory_timeline/list_reader.h"

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"

namespace highwater::memory_timeline {

namespace {

struct ReadText
{
    std::string tokens; ///< "[", "]", numbers, and "?" for other values
    std::optional<Error> error;
    std::optional<Error> errorAfterMore; ///< error after reading past the end
};

ReadText read(const std::string& text, std::size_t piece = 1 << 20, std::optional<Error> atEnd = {})
{
    test::PiecewiseSource source(text, piece, std::move(atEnd));
    ListReader reader(source);
    ReadText result;
    for (Token token = reader.next(); token.kind != TokenKind::End; token = reader.next()) {
        result.tokens += token.kind == TokenKind::Open ? "["
            : token.kind == TokenKind::Close           ? "]"
            : token.kind == TokenKind::Number          ? std::to_string(token.number) + " "
                                                       : "? ";
    }
    result.error = reader.error();
    reader.next();
    result.errorAfterMore = reader.error();
    return result;
}

Place placeOfError(const std::string& text)
{
    const ReadText result = read(text);
    EXPECT_TRUE(result.error && result.error->code == ErrorCode::Malformed) << text;
    return result.error && result.error->place ? *result.error->place : Place::byte(999);
}

} // namespace

TEST(ListReader, ReadsNestedListsOfNumbers)
{
    const ReadText result = read(" [[1, -2,3],\n[ ], 4 ]\n");
    EXPECT_EQ(result.tokens, "[[1 -2 3 ][]4 ]");
    EXPECT_FALSE(result.error);
}

TEST(ListReader, ReadsTheSameInPiecesOfAnySize)
{
    for (const std::size_t piece : {1u, 2u, 5u})
        EXPECT_EQ(read("[[1795185687104395871, 2], [-16384]]", piece).tokens,
            "[[1795185687104395871 2 ][-16384 ]]");
}

TEST(ListReader, KeepsTheLargestNumbersAndNoLargerOnes)
{
    EXPECT_EQ(read("[9223372036854775807, -9223372036854775807]").tokens,
        "[9223372036854775807 -9223372036854775807 ]");
    EXPECT_EQ(read("[9223372036854775808, 99999999999999999999999]").tokens, "[? ? ]");
}

TEST(ListReader, TakesFractionsTextsAndWordsForOtherValues)
{
    EXPECT_EQ(read("[1.5, 2e3, \"a\\\"]\", null, true]").tokens, "[? ? ? ? ? ]");
}

TEST(ListReader, OverlooksAByteOrderMark)
{
    EXPECT_EQ(read("\xEF\xBB\xBF[1]").tokens, "[1 ]");
}

TEST(ListReader, NamesTheByteOfWhatIsWrong)
{
    EXPECT_EQ(placeOfError("[1 2]"), Place::byte(3));
    EXPECT_EQ(placeOfError("[1,]"), Place::byte(3));
    EXPECT_EQ(placeOfError("[,1]"), Place::byte(1));
    EXPECT_EQ(placeOfError("[1, {\"a\": 2}]"), Place::byte(4));
    EXPECT_EQ(placeOfError("[1] 2"), Place::byte(4));
    EXPECT_EQ(placeOfError("[-x]"), Place::byte(1));
    EXPECT_EQ(placeOfError("7 "), Place::byte(0));
}

TEST(ListReader, RefusesToNestDeeperThanThree)
{
    EXPECT_EQ(read("[[[1]]]").error, std::nullopt);
    EXPECT_EQ(placeOfError("[[[[1]]]]"), Place::byte(3));
    EXPECT_EQ(placeOfError(std::string(2'000'000, '[')), Place::byte(3));
}

TEST(ListReader, SaysWhereTheTextEndsTooEarly)
{
    for (const char* text : {"[", "[1", "[1,", "[[1]", "[\"ab", "[\"ab\\"}) {
        const ReadText result = read(text);
        ASSERT_TRUE(result.error) << text;
        EXPECT_EQ(result.error->code, ErrorCode::Truncated) << text;
        EXPECT_EQ(result.error->place, Place::byte(std::string_view(text).size())) << text;
    }
}

TEST(ListReader, DoesNotHandOutANumberWhoseLastDigitsMayBeMissing)
{
    EXPECT_EQ(read("[10, 12").tokens, "[10 ");
}

TEST(ListReader, PassesOnTheSourcesError)
{
    const ReadText result = read("[1, 2", 1, Error{ErrorCode::Cancelled, "cancelled", {}});
    ASSERT_TRUE(result.error);
    EXPECT_EQ(result.error->code, ErrorCode::Cancelled);
    EXPECT_EQ(result.errorAfterMore->code, ErrorCode::Cancelled);
}

} // namespace highwater::memory_timeline
