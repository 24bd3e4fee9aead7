#include "core/analysis/diff/matching/file_likeness.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

const FileContents kTrain{"/w/train.py", {1, 2, 3}, {10, 20}, {{101, 6}, {102, 1}, {103, 1}, {104, 2}}};

} // namespace

TEST(FileLikeness, IsWholeOfAFileWithItself)
{
    const FileLikeness likeness = compareFiles(kTrain, kTrain);
    EXPECT_EQ(likeness.sharedFunctions, 3u);
    EXPECT_EQ(likeness.mostFunctions, 3u);
    EXPECT_EQ(likeness.callShare, 1);
    EXPECT_EQ(likeness.allocationShare, 1);
    EXPECT_EQ(likeness.combinationShare, 1);
    EXPECT_EQ(likeness.difference(), 0);
}

TEST(FileLikeness, CountsAllocationsOfBothFilesThatTheOtherHasOnceOrMore)
{
    const FileContents other{"/w/run.py", {2, 3}, {20}, {{101, 60}, {103, 1}, {105, 29}}};
    const FileLikeness likeness = compareFiles(kTrain, other);
    EXPECT_EQ(likeness.sharedFunctions, 2u);
    EXPECT_DOUBLE_EQ(likeness.callShare, 2.0 / 3);
    EXPECT_DOUBLE_EQ(likeness.allocationShare, 0.68); // 7 of 10, 61 of 90
    EXPECT_DOUBLE_EQ(likeness.combinationShare, 4.0 / 7);
    EXPECT_EQ(compareFiles(other, kTrain).difference(), likeness.difference());
}

TEST(FileLikeness, IsNothingOfAFileWithoutAllocations)
{
    EXPECT_EQ(compareFiles(kTrain, {"/w/run.py", {1}, {}, {}}).difference(), 1);
    EXPECT_EQ(compareFiles({}, {}).difference(), 1);
}

TEST(AreVersions, NeedsThreeFifthsOfTheAllocations)
{
    FileLikeness likeness{.sharedFunctions = 1,
        .mostFunctions = 2,
        .sharedCalls = 3,
        .allocationShare = 0.7,
        .combinationShare = 0.6,
        .sharedCombinations = 9};
    EXPECT_TRUE(areVersions(likeness));
    likeness.combinationShare = 0.5;
    EXPECT_FALSE(areVersions(likeness));
}

TEST(AreVersions, NeedsHalfOfThemWhereFunctionsAndCallsAreTheSame)
{
    FileLikeness likeness{.sharedFunctions = 2,
        .mostFunctions = 2,
        .sharedCalls = 2,
        .callShare = 1,
        .allocationShare = 0.5,
        .combinationShare = 0.2,
        .sharedCombinations = 9};
    EXPECT_TRUE(areVersions(likeness));
    likeness.mostFunctions = 3;
    EXPECT_FALSE(areVersions(likeness));
}

TEST(AreVersions, NeedsMoreThanOneFunctionUnlessTheyAreScripts)
{
    FileLikeness likeness{.sharedFunctions = 1,
        .mostFunctions = 1,
        .sharedCalls = 1,
        .callShare = 1,
        .allocationShare = 1,
        .combinationShare = 1,
        .sharedCombinations = 9};
    EXPECT_FALSE(areVersions(likeness));
    likeness.areScripts = true;
    EXPECT_TRUE(areVersions(likeness));
    likeness.sharedCombinations = 2;
    EXPECT_FALSE(areVersions(likeness));
}

} // namespace highwater
