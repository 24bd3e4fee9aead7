#include "core/analysis/ranks/shared_code.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

RankFile rankWithSites(std::vector<std::string> sites)
{
    RankDevice device;
    for (std::string& site : sites)
        device.peakSites.emplace_back(std::move(site), 1);
    RankFile file;
    file.devices.push_back(std::move(device));
    return file;
}

const RankFile kModel = rankWithSites({"forward (/data/model.py:39)"});
const RankFile kNoStacks = rankWithSites({"(no stack: stacks were not recorded in this file)"});
const RankFile kOther = rankWithSites({"serve (/data/server.py:7)", "forward (/data/other.py:39)"});

} // namespace

TEST(CompareCode, FindsTheSameFunctionInAnotherFolderAndAtAnotherLine)
{
    const RankFile moved = rankWithSites({"forward (C:\\venv\\model.py:41)"});
    EXPECT_EQ(compareCode({&kModel, &kModel, &moved}), std::vector<SharedCode>(3, SharedCode::Some));
}

TEST(CompareCode, FindsTheRankOfOtherCode)
{
    EXPECT_EQ(compareCode({&kModel, &kOther, &kModel}),
        (std::vector{SharedCode::Some, SharedCode::Other, SharedCode::Some}));
}

TEST(CompareCode, SaysWhereThereIsNothingToCompare)
{
    EXPECT_EQ(compareCode({&kModel, &kModel, &kNoStacks}),
        (std::vector{SharedCode::Some, SharedCode::Some, SharedCode::NotRecorded}));
    EXPECT_EQ(
        compareCode({&kNoStacks, &kNoStacks, &kNoStacks}), std::vector<SharedCode>(3, SharedCode::Some));
}

TEST(CompareCode, TellsNoneOfTwoApart)
{
    EXPECT_EQ(compareCode({&kModel, &kOther}), std::vector<SharedCode>(2, SharedCode::Some));
}

TEST(CompareCode, LeavesFilesAloneThatHaveNothingInCommon)
{
    const RankFile third = rankWithSites({"main (/data/third.py:1)"});
    EXPECT_EQ(compareCode({&kModel, &kOther, &third}), std::vector<SharedCode>(3, SharedCode::Some));
}

} // namespace highwater
