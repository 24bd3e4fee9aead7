#include "app/loading/log_text.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

class LogTextFile
{
public:
    explicit LogTextFile(const std::string& content)
        : m_path(m_folder.write("x.log", content))
    {
    }
    std::shared_ptr<const LogText> open() const { return *LogText::open(m_path, nullptr, {}); }

private:
    test::TemporaryFolder m_folder;
    std::string m_path;
};

char letter(int i)
{
    return static_cast<char>('a' + i % 26);
}

std::string numbered(int lines)
{
    std::string text;
    for (int i = 0; i < lines; ++i)
        text += "line " + std::to_string(i) + "\n";
    return text;
}

} // namespace

TEST(LogText, GivesAnyLineOfALongFile)
{
    const auto text = LogTextFile(numbered(100'000)).open();
    EXPECT_EQ(text->lineCount(), 100'000u);
    EXPECT_EQ(text->lines(0, 2), (std::vector<std::string>{"line 0", "line 1"}));
    EXPECT_EQ(text->lines(54'321, 1), (std::vector<std::string>{"line 54321"}));
    EXPECT_EQ(text->lines(99'999, 5), (std::vector<std::string>{"line 99999"}));
    EXPECT_TRUE(text->lines(100'000, 5).empty());
}

TEST(LogText, CountsALastLineWithoutAnEnd)
{
    const auto text = LogTextFile("a\nb").open();
    EXPECT_EQ(text->lineCount(), 2u);
    EXPECT_EQ(text->lines(0, 9), (std::vector<std::string>{"a", "b"}));
}

TEST(LogText, HoldsEmptyLinesAndEmptyFiles)
{
    EXPECT_EQ(LogTextFile("\n\nx\n").open()->lines(0, 9), (std::vector<std::string>{"", "", "x"}));
    EXPECT_EQ(LogTextFile("").open()->lineCount(), 0u);
    EXPECT_TRUE(LogTextFile("").open()->lines(0, 9).empty());
}

TEST(LogText, GivesLinesAcrossThePiecesThatAreRead)
{
    std::string content;
    for (int i = 0; i < 40; ++i)
        content.append(5000, letter(i)).append("\n");
    const auto text = LogTextFile(content).open();
    for (std::uint64_t i = 0; i < 40; ++i)
        EXPECT_EQ(text->lines(i, 1).at(0), std::string().append(5000, letter(static_cast<int>(i))));
}

TEST(LogText, OfAFileThatEndsEarlyIsNotTooLong)
{
    const auto text = LogText::open(test::samplePath("broken/gzip-cut.pickle.gz"), nullptr, {});
    ASSERT_TRUE(text);
    EXPECT_GT((*text)->lineCount(), 0u);
    EXPECT_FALSE((*text)->isCut());
}

TEST(LogText, CutsALineOfMegabytesAndFindsTheNext)
{
    const auto text = LogTextFile(std::string().append(3'000'000, 'x').append("\nnext\n")).open();
    ASSERT_EQ(text->lineCount(), 2u);
    EXPECT_EQ(text->lines(0, 1).at(0), std::string().append(LogText::kLongestLineBytes, 'x').append(" …"));
    EXPECT_EQ(text->lines(1, 1).at(0), "next");
}

TEST(LogText, ReadsPackedFiles)
{
    const auto text = *LogText::open(test::samplePath("encodings/tiny.pickle.gz"), nullptr, {});
    EXPECT_GT(text->lineCount(), 0u);
    EXPECT_FALSE(text->isCut());
}

TEST(LogText, RefusesAFileThatIsNotThere)
{
    EXPECT_FALSE(LogText::open("/nonexistent/x.log", nullptr, {}));
}

TEST(LogText, ObeysTheWishToStop)
{
    const StopToken stop;
    stop.requestStop();
    const auto text = LogText::open(test::samplePath("encodings/tiny.json"), nullptr, stop);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ErrorCode::Cancelled);
}

TEST(ShownLine, IsWhatARepaintedLineShowsAtTheEnd)
{
    EXPECT_EQ(shownLine("10%\r50%\r   \r"), "50%");
    EXPECT_EQ(shownLine("text\r"), "text");
}

TEST(ShownLine, HasNoColorsAndNoControlCharacters)
{
    EXPECT_EQ(shownLine("\x1b[31mred\x1b[0m\tend"), "red end");
    EXPECT_EQ(shownLine(std::string("a\0b", 3)).find('\0'), std::string::npos);
}

} // namespace highwater
