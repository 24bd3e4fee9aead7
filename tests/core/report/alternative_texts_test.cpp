// Checks that every figure in a report has a sentence with its numbers, for people who cannot see it.
#include <regex>

#include <gtest/gtest.h>

#include "core/report/html/html_report.h"
#include "tests/support/html_tokens.h"
#include "tests/support/report_runs.h"
#include "tests/support/report_tables.h"

namespace highwater {

namespace {

std::vector<Report> reports()
{
    const auto snapshot = [](const std::string& name) {
        return test::runOfSample("pytorch-snapshot/" + name + ".pickle.zst");
    };
    std::vector<Report> all;
    all.push_back(test::reportOf(snapshot("r1-grpo-before")));
    all.push_back(test::reportOf(snapshot("r3-vocabulary-before"), snapshot("r3-vocabulary-after")));
    all.push_back(test::reportOf(
        test::runOfSample("logs/r4-verl-before.err"), test::runOfSample("logs/r4-verl-after.err")));
    all.push_back(test::reportOf(test::runOfSample("logs/r5-flan-t5-xl.log")));
    return all;
}

/// True for a sentence that contains an amount of bytes.
bool tellsFigures(const std::string& text)
{
    static const std::regex amount(R"([0-9.,]+ ?([KMGT]i?B|B)\b)");
    return text.ends_with('.') && std::regex_search(text, amount);
}

} // namespace

TEST(AlternativeTexts, TellTheFiguresOfEveryFigureInASentence)
{
    std::size_t count = 0;
    for (const Report& report : reports())
        for (const ReportFigure& figure : test::blocksOf<ReportFigure>(report)) {
            EXPECT_TRUE(tellsFigures(figure.wide.title)) << figure.id << ": " << figure.wide.title;
            EXPECT_TRUE(tellsFigures(figure.narrow.title)) << figure.id << ": " << figure.narrow.title;
            ++count;
        }
    EXPECT_GT(count, 8u);
}

/// A screen reader skips a picture without a name, or reads it shape by shape.
TEST(AlternativeTexts, AreTheNamesOfThePicturesInThePage)
{
    for (const Report& report : reports()) {
        std::string before;
        std::size_t pictures = 0;
        for (const HtmlToken& token : htmlTokens(toHtml(report))) {
            if (token.kind == HtmlToken::Kind::Open && token.name == "svg") {
                EXPECT_EQ(token.attribute("role"), "img");
                ++pictures;
            }
            if (before == "svg" && token.kind == HtmlToken::Kind::Open) {
                EXPECT_EQ(token.name, "title");
            }
            if (token.kind == HtmlToken::Kind::Open)
                before = token.name;
        }
        EXPECT_EQ(pictures, 2 * test::blocksOf<ReportFigure>(report).size());
    }
}

} // namespace highwater
