#include "core/analysis/diff/matching/file_classes.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace highwater {

namespace {

using Paths = std::vector<std::string>;
using Classes = std::vector<std::uint32_t>;

/// Matches files of which only the paths are known.
std::pair<Classes, Classes> matchPaths(const Paths& before, const Paths& after)
{
    const auto filesOf = [](const Paths& paths) {
        std::vector<FileContents> files;
        for (const std::string& path : paths)
            files.push_back({path, {1}, {}, {}});
        return files;
    };
    FileClasses classes = matchFiles(filesOf(before), filesOf(after));
    return {std::move(classes.before), std::move(classes.after)};
}

} // namespace

TEST(MatchFiles, TakesEqualPathsForOneFile)
{
    const auto [before, after] = matchPaths({"/a/train.py", "/a/model.py"}, {"/a/model.py", "/a/train.py"});
    EXPECT_EQ(before[0], after[1]);
    EXPECT_EQ(before[1], after[0]);
    EXPECT_NE(before[0], before[1]);
}

TEST(MatchFiles, FindsAProjectInAnotherFolder)
{
    const auto [before, after] = matchPaths({"/home/a/run1/src/train.py", "/home/a/run1/lib/train.py"},
        {"/home/b/run2/lib/train.py", "/home/b/run2/src/train.py"});
    EXPECT_EQ(before[0], after[1]);
    EXPECT_EQ(before[1], after[0]);
}

TEST(MatchFiles, PrefersAnEqualFolderBelowARelativePathToEqualAllocations)
{
    const std::vector<FileContents> before = {{"src/train.py", {1}, {}, {{1, 1}}}};
    const std::vector<FileContents> after
        = {{"/b/lib/train.py", {1}, {}, {{1, 1}}}, {"/b/src/train.py", {1}, {}, {{2, 1}}}};
    const FileClasses classes = matchFiles(before, after);
    EXPECT_EQ(classes.before[0], classes.after[1]);
}

TEST(MatchFiles, LeavesFilesOfOtherNamesApart)
{
    const auto [before, after] = matchPaths({"/a/train.py"}, {"/a/eval.py"});
    EXPECT_NE(before[0], after[0]);
}

TEST(MatchFiles, GivesAnEqualPathPrecedenceOverARenamedOne)
{
    const auto [before, after] = matchPaths({"/a/x/train.py"}, {"/b/x/train.py", "/a/x/train.py"});
    EXPECT_EQ(before[0], after[1]);
    EXPECT_NE(before[0], after[0]);
}

TEST(MatchFiles, AnswersTheSameWithTheRunsExchanged)
{
    const Paths one = {"/a/p/q/t.py", "/a/r/q/t.py", "/z/t.py"};
    const Paths other = {"/b/p/q/t.py", "/c/t.py"};
    const auto forth = matchPaths(one, other);
    const auto back = matchPaths(other, one);
    for (std::size_t i = 0; i < one.size(); ++i)
        for (std::size_t j = 0; j < other.size(); ++j)
            EXPECT_EQ(forth.first[i] == forth.second[j], back.second[i] == back.first[j]) << i << " " << j;
}

TEST(MatchFiles, TakesManyFilesOfOneNameInOrder)
{
    Paths one;
    Paths other;
    for (int i = 1'000; i < 4'000; ++i) {
        one.push_back("/a/" + std::to_string(i) + "/__init__.py");
        other.push_back("/b/" + std::to_string(i) + "/__init__.py");
    }
    std::reverse(other.begin(), other.end());
    const auto [before, after] = matchPaths(one, other);
    EXPECT_EQ(before, Classes(after.rbegin(), after.rend()));
}

} // namespace highwater
