#include "importers/pytorch_snapshot/html_page_source.h"

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

Result<std::string> embeddedIn(
    const std::string& page, std::size_t pagePiece = 1 << 16, std::size_t readPiece = 4096)
{
    auto source = HtmlPageSource::open(std::make_unique<test::PiecewiseSource>(page, pagePiece));
    if (!source)
        return tl::unexpected<Error>(source.error());
    return test::readAll(**source, readPiece);
}

std::string pageWith(const std::string& base64)
{
    return "<!DOCTYPE html><html><script>add([{\"name\": \"snapshot.pickle\", \"base64\": \"" + base64
        + "\"}], '')</script></html>";
}

} // namespace

TEST(HtmlPageSource, DecodesWhatIsEmbedded)
{
    EXPECT_EQ(embeddedIn(pageWith("aGVsbG8gd29ybGQh")).value(), "hello world!");
}

TEST(HtmlPageSource, TakesOneOrTwoBytesOfPadding)
{
    EXPECT_EQ(embeddedIn(pageWith("aGVsbG8=")).value(), "hello");
    EXPECT_EQ(embeddedIn(pageWith("aGVsbA==")).value(), "hell");
    EXPECT_EQ(embeddedIn(pageWith("aGVsbG8")).value(), "hello");
}

TEST(HtmlPageSource, GivesTheSameForPagesInPiecesOfAnySize)
{
    for (const std::size_t piece : {1u, 2u, 5u, 64u})
        EXPECT_EQ(embeddedIn(pageWith("aGVsbG8gd29ybGQh"), piece).value(), "hello world!");
}

TEST(HtmlPageSource, GivesTheSameForReadsOfAnySize)
{
    for (const std::size_t piece : {1u, 2u, 3u, 4u, 5u})
        EXPECT_EQ(embeddedIn(pageWith("aGVsbG8gd29ybGQh"), 100, piece).value(), "hello world!")
            << "reads of " << piece;
}

TEST(HtmlPageSource, IgnoresWhiteSpaceAndLineBreaks)
{
    EXPECT_EQ(embeddedIn(pageWith("aGVs\r\nbG8g d29y\\\nbGQh")).value(), "hello world!");
}

TEST(HtmlPageSource, FindsTheListBehindOtherQuotes)
{
    EXPECT_EQ(embeddedIn("<html>\"\"base\"base6\"<a href=\"x\">{\"base64\" : \"aGk=\"}").value(), "hi");
}

TEST(HtmlPageSource, SaysThatAPageHoldsNoSnapshot)
{
    const auto error = embeddedIn("<html><body>hello</body></html>").error();
    EXPECT_EQ(error.code, ErrorCode::UnknownFormat);
    EXPECT_TRUE(test::hasParts(error.message, {"web page", "download the file itself"}));
}

TEST(HtmlPageSource, SaysWhereItIsNotBase64)
{
    const std::string page = pageWith("aGVs<bG8=");
    const auto error = embeddedIn(page).error();
    EXPECT_EQ(error.code, ErrorCode::Malformed);
    EXPECT_EQ(error.place, Place::byte(page.find("<bG8")));
}

TEST(HtmlPageSource, EndsWhereThePageIsCutOff)
{
    EXPECT_EQ(embeddedIn("<html>\"base64\": \"aGVsbG8gd2").value(), "hello w");
}

} // namespace highwater
