// Checks that every rule of a finding has a name and a page in the manual.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "core/analysis/detectors/rule_table.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

namespace fs = std::filesystem;

const fs::path kSource = fs::path(test::samplePath("x")).parent_path().parent_path();

bool isKnown(const std::string& rule)
{
    return std::ranges::binary_search(ruleNames(), std::string_view(rule));
}

/// Returns the rules that the detectors' sources use.
std::set<std::string> rulesInSources()
{
    static const std::regex given(
        R"re((?:finding(?:Of|At)\((?:[^;"]|\n)*?|\.rule\s*=\s*|case OomCause::\w+: return |kRule = )"([a-z-]+)")re");
    std::set<std::string> rules;
    for (const fs::directory_entry& entry :
        fs::recursive_directory_iterator(kSource / "core" / "analysis" / "detectors")) {
        if (entry.path().extension() != ".cpp")
            continue;
        const std::string text = test::readWholeFile(entry.path());
        for (std::sregex_iterator found(text.begin(), text.end(), given), end; found != end; ++found)
            rules.insert((*found)[1]);
    }
    return rules;
}

} // namespace

TEST(RuleNames, AreThoseOfTheDetectors)
{
    const std::set<std::string> rules = rulesInSources();
    EXPECT_GT(rules.size(), 25u);
    for (const std::string& rule : rules)
        EXPECT_TRUE(isKnown(rule)) << rule << " is missing in core/analysis/detectors/rule_table.cpp";
}

TEST(Rules, AreAllAsked)
{
    const fs::path folder = kSource / "core" / "analysis" / "detectors";
    const std::string declared = test::readWholeFile(folder / "rules.h");
    const std::string asked = test::readWholeFile(folder / "rule_table.cpp");
    static const std::regex name(R"((find\w+)\(const DetectorInput& input\);)");
    int count = 0;
    for (std::sregex_iterator found(declared.begin(), declared.end(), name), end; found != end;
         ++found, ++count)
        EXPECT_NE(asked.find(", " + (*found)[1].str()), std::string::npos)
            << (*found)[1] << " is missing in kRules";
    EXPECT_GT(count, 25);
}

TEST(RuleNames, AreThoseOfTheJudgedFindings)
{
    std::istringstream lines(test::readWholeFile(kSource / "samples" / "judged-findings.tsv"));
    std::set<std::string> rules;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        std::string cell;
        for (int column = 0; column < 3; ++column)
            std::getline(cells, cell, '\t');
        if (!cell.empty() && cell != "rule")
            rules.insert(cell);
    }
    EXPECT_GT(rules.size(), 20u);
    for (const std::string& rule : rules)
        EXPECT_TRUE(isKnown(rule)) << rule;
}

class RulePage : public testing::TestWithParam<std::string_view>
{
};

TEST_P(RulePage, SaysWhatItMeansWhenItIsSilentHowItCanBeWrongAndWhatToDo)
{
    const std::string page(rulePage(GetParam()));
    ASSERT_TRUE(page.starts_with("# " + std::string(GetParam()) + "\n\n"))
        << "resources/manual/findings/" << GetParam() << ".md is missing";
    std::size_t before = 0;
    for (const char* heading : {"## What it says\n\n", "## When it is silent\n\n",
             "## How it can be wrong\n\n", "## What to do\n\n"}) {
        const std::size_t at = page.find(heading);
        ASSERT_NE(at, std::string::npos) << heading;
        EXPECT_GT(at, before) << heading;
        const std::size_t text = at + std::string_view(heading).size();
        EXPECT_GT(page.find("\n", text) - text, 15u) << heading << " is empty";
        before = at;
    }
}

TEST_P(RulePage, IsInTheListOfPages)
{
    const std::string list = test::readWholeFile(kSource / "resources/manual/findings/README.md");
    EXPECT_NE(list.find("(" + rulePageFile(GetParam()).substr(std::string("findings/").size()) + ")"),
        std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Rules, RulePage, testing::ValuesIn(ruleNames().begin(), ruleNames().end()));

TEST(RulePages, AreOfNothingElse)
{
    EXPECT_EQ(rulePage("README"), "");
    EXPECT_EQ(rulePage("../command-line"), "");
    for (const fs::directory_entry& entry :
        fs::recursive_directory_iterator(kSource / "resources/manual/findings"))
        if (entry.is_regular_file()) {
            EXPECT_TRUE(entry.path().stem() == "README" || isKnown(entry.path().stem().string()))
                << entry.path();
        }
}

} // namespace highwater
