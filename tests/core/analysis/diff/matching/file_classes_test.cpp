#include "core/analysis/diff/matching/file_classes.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace highwater {

namespace {

using Paths = std::vector<std::string>;
using Classes = std::vector<std::uint32_t>;

} // namespace

TEST(PortablePath, IsWhatFollowsTheFolderOfPackages)
{
    EXPECT_EQ(
        portablePath("/venv/lib/python3.11/site-packages/torch/nn/functional.py"), "torch/nn/functional.py");
    EXPECT_EQ(portablePath("/usr/lib/python3/dist-packages/numpy/core.py"), "numpy/core.py");
}

TEST(PortablePath, OfTheStandardLibraryIsTheSameForAllVersions)
{
    EXPECT_EQ(
        portablePath("/usr/lib/python3.9/threading.py"), portablePath("/opt/py/lib/python3.12/threading.py"));
}

TEST(PortablePath, HasForwardSlashes)
{
    EXPECT_EQ(portablePath("C:\\run\\train.py"), "C:/run/train.py");
}

TEST(MatchFiles, TakesEqualPathsForOneFile)
{
    const auto [before, after] = matchFiles({"/a/train.py", "/a/model.py"}, {"/a/model.py", "/a/train.py"});
    EXPECT_EQ(before[0], after[1]);
    EXPECT_EQ(before[1], after[0]);
    EXPECT_NE(before[0], before[1]);
}

TEST(MatchFiles, FindsAProjectInAnotherFolder)
{
    const auto [before, after] = matchFiles({"/home/a/run1/src/train.py", "/home/a/run1/lib/train.py"},
        {"/home/b/run2/lib/train.py", "/home/b/run2/src/train.py"});
    EXPECT_EQ(before[0], after[1]);
    EXPECT_EQ(before[1], after[0]);
}

TEST(MatchFiles, LeavesFilesOfOtherNamesApart)
{
    const auto [before, after] = matchFiles({"/a/train.py"}, {"/a/eval.py"});
    EXPECT_NE(before[0], after[0]);
}

TEST(MatchFiles, GivesAnEqualPathPrecedenceOverARenamedOne)
{
    const auto [before, after] = matchFiles({"/a/x/train.py"}, {"/b/x/train.py", "/a/x/train.py"});
    EXPECT_EQ(before[0], after[1]);
    EXPECT_NE(before[0], after[0]);
}

TEST(MatchFiles, AnswersTheSameWithTheRunsExchanged)
{
    const Paths one = {"/a/p/q/t.py", "/a/r/q/t.py", "/z/t.py"};
    const Paths other = {"/b/p/q/t.py", "/c/t.py"};
    const auto forth = matchFiles(one, other);
    const auto back = matchFiles(other, one);
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
    const auto [before, after] = matchFiles(one, other);
    EXPECT_EQ(before, Classes(after.rbegin(), after.rend()));
}

TEST(PackageOf, IsTheFolderAfterThatOfPackages)
{
    EXPECT_EQ(packageOf("/v/lib/python3.12/site-packages/einops/_backends.py"), "einops");
    EXPECT_EQ(packageOf("C:\\v\\Lib\\site-packages\\wrapt\\wrappers.py"), "wrapt");
    EXPECT_EQ(packageOf("/run/train.py"), "");
    EXPECT_EQ(packageOf("/v/site-packages"), "");
}

TEST(IsSpellingFile, IsTrueOfPackagesThatOnlySpellOperators)
{
    EXPECT_TRUE(isSpellingFile("/v/site-packages/einops/einops.py"));
    EXPECT_FALSE(isSpellingFile("/v/site-packages/transformers/modeling_t5.py"));
    EXPECT_FALSE(isSpellingFile("/run/einops/mine.py"));
}

} // namespace highwater
