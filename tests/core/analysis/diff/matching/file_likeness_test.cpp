#include "core/analysis/diff/matching/file_likeness.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

const FileContents kTrain{"/w/train.py", {1, 2, 3}, {10, 20}, {{101, 6}, {102, 1}, {103, 1}, {104, 2}}};

} // namespace

TEST(FileLikeness, IsWholeOfAFileWithItself)
{
    const FileLikeness likeness = compareFiles(kTrain, kTrain);
    EXPECT_EQ(likeness.functions, 3u);
    EXPECT_EQ(likeness.mostFunctions, 3u);
    EXPECT_EQ(likeness.calls, 1);
    EXPECT_EQ(likeness.allocations, 1);
    EXPECT_EQ(likeness.kinds, 1);
    EXPECT_EQ(likeness.difference(), 0);
}

TEST(FileLikeness, CountsAllocationsOfBothFilesThatTheOtherHasOnceOrMore)
{
    const FileContents other{"/w/run.py", {2, 3}, {20}, {{101, 60}, {103, 1}, {105, 29}}};
    const FileLikeness likeness = compareFiles(kTrain, other);
    EXPECT_EQ(likeness.functions, 2u);
    EXPECT_DOUBLE_EQ(likeness.calls, 2.0 / 3);
    EXPECT_DOUBLE_EQ(likeness.allocations, 0.68); // 7 of 10, 61 of 90
    EXPECT_DOUBLE_EQ(likeness.kinds, 4.0 / 7);
    EXPECT_EQ(compareFiles(other, kTrain).difference(), likeness.difference());
}

TEST(FileLikeness, IsNothingOfAFileWithoutAllocations)
{
    EXPECT_EQ(compareFiles(kTrain, {"/w/run.py", {1}, {}, {}}).difference(), 1);
    EXPECT_EQ(compareFiles({}, {}).difference(), 1);
}

TEST(AreVersions, NeedsThreeFifthsOfTheAllocations)
{
    FileLikeness likeness{.functions = 1,
        .mostFunctions = 2,
        .sharedCalls = 3,
        .allocations = 0.7,
        .kinds = 0.6,
        .sharedCombinations = 9};
    EXPECT_TRUE(areVersions(likeness));
    likeness.kinds = 0.5;
    EXPECT_FALSE(areVersions(likeness));
}

TEST(AreVersions, NeedsHalfOfThemWhereFunctionsAndCallsAreTheSame)
{
    FileLikeness likeness{.functions = 2,
        .mostFunctions = 2,
        .sharedCalls = 2,
        .calls = 1,
        .allocations = 0.5,
        .kinds = 0.2,
        .sharedCombinations = 9};
    EXPECT_TRUE(areVersions(likeness));
    likeness.mostFunctions = 3;
    EXPECT_FALSE(areVersions(likeness));
}

TEST(AreVersions, NeedsMoreThanOneFunctionUnlessTheyAreScripts)
{
    FileLikeness likeness{.functions = 1,
        .mostFunctions = 1,
        .sharedCalls = 1,
        .calls = 1,
        .allocations = 1,
        .kinds = 1,
        .sharedCombinations = 9};
    EXPECT_FALSE(areVersions(likeness));
    likeness.areScripts = true;
    EXPECT_TRUE(areVersions(likeness));
    likeness.sharedCombinations = 2;
    EXPECT_FALSE(areVersions(likeness));
}

} // namespace highwater
