// Checks that every test that sanitizers skip is in tests/beyond-sanitizers.txt, because otherwise it would
// run nowhere in CI.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Returns the patterns in tests/beyond-sanitizers.txt.
std::vector<std::string> patternsBeyondSanitizers()
{
    std::vector<std::string> patterns;
    std::istringstream lines(
        test::readWholeFile(std::filesystem::path(HIGHWATER_SOURCE_DIR) / "tests/beyond-sanitizers.txt"));
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line.front() != '#')
            patterns.push_back(line);
    return patterns;
}

/// Matches patterns with `*` as gtest does.
bool isMatch(std::string_view pattern, std::string_view name)
{
    if (pattern.empty())
        return name.empty();
    if (pattern.front() == '*')
        return isMatch(pattern.substr(1), name) || (!name.empty() && isMatch(pattern, name.substr(1)));
    return !name.empty() && name.front() == pattern.front() && isMatch(pattern.substr(1), name.substr(1));
}

/// Returns "Suite.Name" of each test that checks for sanitizers before it skips.
std::vector<std::string> skippedBySanitizers(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream lines(text);
    std::string name;
    bool isAsked = false;
    for (std::string line; std::getline(lines, line);
         isAsked = line.find("if (test::kIsSanitized") != line.npos) {
        if (line.starts_with("TEST")) {
            const std::size_t open = line.find('(');
            const std::size_t comma = line.find(", ", open);
            name = line.substr(open + 1, comma - open - 1) + '.'
                + line.substr(comma + 2, line.find(')', comma) - comma - 2);
        }
        if (isAsked && line.find("GTEST_SKIP") != line.npos)
            names.push_back(name);
    }
    return names;
}

} // namespace

TEST(SanitizerList, NamesEveryTestThatTheyLeaveOut)
{
    const std::vector<std::string> patterns = patternsBeyondSanitizers();
    std::size_t skipped = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(HIGHWATER_SOURCE_DIR) / "tests")) {
        if (entry.path().extension() != ".cpp")
            continue;
        for (const std::string& name : skippedBySanitizers(test::readWholeFile(entry.path()))) {
            ++skipped;
            EXPECT_TRUE(std::ranges::any_of(
                patterns, [&](const std::string& pattern) { return isMatch(pattern, name); }))
                << name << " is left out by the sanitizers, and tests/beyond-sanitizers.txt does not name it";
        }
    }
    EXPECT_GT(skipped, 3u);
}

TEST(SanitizerList, NamesTestsThatAreThere)
{
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (const std::string& pattern : patternsBeyondSanitizers()) {
        bool isThere = false;
        for (int i = 0; i < all.total_test_suite_count() && !isThere; ++i) {
            const testing::TestSuite& suite = *all.GetTestSuite(i);
            for (int k = 0; k < suite.total_test_count() && !isThere; ++k)
                isThere = isMatch(pattern, std::string(suite.name()) + '.' + suite.GetTestInfo(k)->name());
        }
        EXPECT_TRUE(isThere) << pattern << " is the name of no test";
    }
}

} // namespace highwater
