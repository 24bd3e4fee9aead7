#include "app/cli/agent/short_answer.h"

#include <gtest/gtest.h>

namespace highwater::cli {

namespace {

Json answered(const Json& document, std::size_t mostBytes, const DocumentPart& part = {})
{
    const Result<std::string> text = shortAnswer(document, part, {}, mostBytes);
    EXPECT_TRUE(text.has_value()) << (text ? "" : text.error().message);
    return text ? parseOrderedJson(*text) : Json();
}

Json rows(int count)
{
    Json list = Json::array();
    for (int i = 0; i < count; ++i)
        list.push_back({{"index", i}, {"bytes", std::int64_t{1} << 40}, {"key", "row"}});
    return {{"steps", list}, {"total", 7}};
}

} // namespace

TEST(ShortAnswer, IsTheWholeDocumentWhereThatFits)
{
    const Json document = rows(3);
    const Json answer = answered(document, 8192);
    EXPECT_EQ(answer["answer"], document);
    EXPECT_TRUE(answer["left_out"].empty());
}

TEST(ShortAnswer, HasAtMostTheBytesThatItMay)
{
    for (const std::size_t most : {500u, 1000u, 8192u}) {
        const Result<std::string> text = shortAnswer(rows(3000), {}, {}, most);
        ASSERT_TRUE(text.has_value());
        EXPECT_LE(text->size(), most);
    }
}

TEST(ShortAnswer, SaysWhatItLeftOutAndHowToAskForIt)
{
    const Json answer = answered(rows(3000), 2000);
    const Json& left = answer["left_out"][0];
    EXPECT_EQ(left["part"], "/steps");
    EXPECT_EQ(left["of"], 3000);
    EXPECT_EQ(left["shown"], answer["answer"]["steps"].size());
    EXPECT_EQ(left["next_from"], left["shown"]);
}

TEST(ShortAnswer, OfAllPartsOneAfterTheOtherGiveTheWhole)
{
    const Json document = rows(700);
    Json joined = Json::array();
    DocumentPart part{"/steps", 0};
    for (bool going = true; going;) {
        const Json answer = answered(document, 2000, part);
        for (const Json& row : answer["answer"])
            joined.push_back(row);
        going = false;
        for (const Json& left : answer["left_out"])
            if (left["part"] == "/steps" && !left["next_from"].is_null()) {
                part.first = left["next_from"].get<std::size_t>();
                going = true;
            }
    }
    EXPECT_EQ(joined, document["steps"]);
}

TEST(ShortAnswer, NamesThePlacesOfALaterPartAsTheDocumentDoes)
{
    Json document = Json::array();
    for (int i = 0; i < 4; ++i)
        document.push_back({{"lines", Json::array()}});
    for (int line = 0; line < 300; ++line)
        document[3]["lines"].push_back("a line that is not short");
    const Json answer = answered(document, 1000, {"", 3});
    EXPECT_EQ(answer["left_out"][1]["part"], "/3/lines");
}

TEST(ShortAnswer, CutsLongTextsBetweenCharacters)
{
    std::string text;
    for (int i = 0; i < 3000; ++i)
        text += "é";
    const Json answer = answered({{"text", text}}, 1001);
    const auto shown = answer["answer"]["text"].get<std::string>();
    EXPECT_EQ(text.substr(0, shown.size()), shown);
    EXPECT_EQ(shown.size() % 2, 0u);
    EXPECT_EQ(answer["left_out"][0]["of"], 6000);
}

TEST(ShortAnswer, RefusesAPartThatTheDocumentDoesNotHave)
{
    EXPECT_EQ(shortAnswer(rows(3), {"/nothing", 0}, {}, 8192).error().code, ErrorCode::BadRequest);
    EXPECT_EQ(shortAnswer(rows(3), {"no pointer", 0}, {}, 8192).error().code, ErrorCode::BadRequest);
    EXPECT_EQ(shortAnswer(rows(3), {"/steps", 3}, {}, 8192).error().code, ErrorCode::BadRequest);
}

TEST(ShortAnswer, HandsOutTextsOfFilesWithoutWhatCannotBeSeen)
{
    const Json answer = answered({{"key", "a\u202Eb\U000E0041c\u200Bd\x1B[31m"}}, 8192);
    EXPECT_EQ(answer["answer"]["key"], "a\uFFFDb\uFFFDc\uFFFDd\uFFFD[31m");
}

TEST(ShortAnswer, KeepsOnlySoManyCaveats)
{
    const std::vector<std::string> caveats(100, std::string(1000, 'x'));
    const Result<std::string> text = shortAnswer(rows(1), {}, {caveats}, 8192);
    ASSERT_TRUE(text.has_value());
    EXPECT_EQ(parseOrderedJson(*text)["caveats"].back(), "and 94 more");
}

} // namespace highwater::cli
