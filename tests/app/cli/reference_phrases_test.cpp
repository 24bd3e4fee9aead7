// Checks the tables of the reference cases in samples/README.md: the command in each row prints the promised
// text, and the view in each row is in the manual. The README is the only place that holds these sentences;
// reference_cases_test.cpp has the figures behind them.
#include <filesystem>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct Phrase
{
    std::string reference;
    std::string mustShow;
    std::string view;
    std::vector<std::string> arguments;
    std::string says;
};

std::string trimmed(const std::string& text)
{
    const std::size_t from = text.find_first_not_of(' ');
    return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(' ') + 1 - from);
}

/// Replaces white space by single spaces, because the widths of table columns vary.
std::string withSingleSpaces(const std::string& text)
{
    std::istringstream words(text);
    std::string out;
    for (std::string word; words >> word;)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

/// Returns the words of "`highwater info FILE`" without the program's name, with the samples' folder in the
/// paths.
std::vector<std::string> argumentsOf(const std::string& cell)
{
    std::istringstream words(cell.substr(1, cell.size() - 2));
    std::vector<std::string> arguments;
    for (std::string word; words >> word;)
        arguments.push_back(
            word.find('/') != std::string::npos || word == "ranks" ? test::samplePath(word) : word);
    arguments.erase(arguments.begin());
    if (arguments.front() == test::samplePath("ranks"))
        arguments.front() = "ranks";
    return arguments;
}

/// Returns the cells of each row of the tables below this heading.
std::vector<std::vector<std::string>> rowsBelow(const std::string& heading)
{
    std::istringstream readme(test::readWholeFile(test::samplePath("README.md")));
    std::string line;
    while (std::getline(readme, line) && line != heading)
        ;
    std::vector<std::vector<std::string>> rows;
    while (std::getline(readme, line) && !line.starts_with("###")) {
        if (!line.starts_with('|'))
            continue;
        std::vector<std::string>& cells = rows.emplace_back();
        std::istringstream row(line.substr(1));
        for (std::string cell; std::getline(row, cell, '|');)
            cells.push_back(trimmed(cell));
    }
    return rows;
}

std::vector<Phrase> phrases()
{
    std::vector<Phrase> all;
    for (const std::vector<std::string>& cells : rowsBelow("### What each case must show, and where"))
        if (cells.size() == 5 && cells[0].starts_with('R'))
            all.push_back({cells[0], cells[1], cells[2], argumentsOf(cells[3]), cells[4]});
    return all;
}

/// Expects each command below this heading to print the sentences next to it, and returns how many there are.
/// An empty cell is the command above it.
int countPrinted(const std::string& heading)
{
    int sentences = 0;
    test::ProgramRun run;
    for (const std::vector<std::string>& cells : rowsBelow(heading)) {
        if (cells.size() != 3 || !(cells[1].empty() || cells[1].starts_with('`')))
            continue;
        if (!cells[1].empty())
            run = test::runHighwater(argumentsOf(cells[1]));
        EXPECT_EQ(run.exitCode, 0) << run.err;
        EXPECT_NE(withSingleSpaces(run.out).find(cells[2]), std::string::npos)
            << '"' << cells[2] << "\" is not in\n"
            << run.out.substr(0, 20'000);
        ++sentences;
    }
    return sentences;
}

} // namespace

class ReferencePhrase : public testing::TestWithParam<Phrase>
{
};

TEST_P(ReferencePhrase, IsSaidByItsCommand)
{
    const test::ProgramRun run = test::runHighwater(GetParam().arguments);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_NE(withSingleSpaces(run.out).find(GetParam().says), std::string::npos)
        << GetParam().mustShow << ": \"" << GetParam().says << "\" is not in\n"
        << run.out.substr(0, 20'000);
}

TEST_P(ReferencePhrase, HasAViewThatTheManualTellsOf)
{
    const std::filesystem::path manual = std::filesystem::path(HIGHWATER_SOURCE_DIR) / "resources/manual";
    const std::string headings = test::readWholeFile(manual / "views.md")
        + test::readWholeFile(manual / "window.md") + test::readWholeFile(manual / "comparing.md");
    EXPECT_NE(headings.find("# " + GetParam().view), std::string::npos) << GetParam().view;
}

INSTANTIATE_TEST_SUITE_P(
    Of, ReferencePhrase, testing::ValuesIn(phrases()), [](const testing::TestParamInfo<Phrase>& row) {
        return row.param.reference + "_" + std::to_string(row.index);
    });

TEST(ReferencePhrases, AreAllThatTheFiveCasesAskFor)
{
    std::map<std::string, int> rows;
    for (const Phrase& phrase : phrases())
        ++rows[phrase.reference];
    EXPECT_EQ(rows, (std::map<std::string, int>{{"R1", 7}, {"R2", 5}, {"R3", 4}, {"R4", 5}, {"R5", 7}}));
}

TEST(ReferenceCase, SaysTheSentencesOfTheReadme)
{
    EXPECT_EQ(countPrinted("### Reference cases"), 22);
}

TEST(RehearsedCase, SaysTheSentencesOfTheReadme)
{
    EXPECT_EQ(countPrinted("### Reference cases as they really run"), 19);
}

} // namespace highwater
