#include "core/base/text/near_text.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

const std::vector<std::string> kCommands = {"info", "peaks", "segments", "what-if", "diff", "findings"};

} // namespace

TEST(NearText, FindsWhatIsAFewLettersAway)
{
    EXPECT_EQ(nearestText("peak", kCommands), "peaks");
    EXPECT_EQ(nearestText("peek", kCommands), "peaks");
    EXPECT_EQ(nearestText("fidnings", kCommands), "findings");
    EXPECT_EQ(nearestText("segmants", kCommands), "segments");
    EXPECT_EQ(nearestText("dif", kCommands), "diff");
}

TEST(NearText, FindsWhatDiffersInCaseAndDashesAlone)
{
    EXPECT_EQ(nearestText("WhatIf", kCommands), "what-if");
    EXPECT_EQ(nearestText("what_if", kCommands), "what-if");
}

TEST(NearText, FindsWhatItIsTheBeginningOf)
{
    EXPECT_EQ(nearestText("find", kCommands), "findings");
    EXPECT_EQ(nearestText("seg", kCommands), "segments");
}

TEST(NearText, PrefersTheNearest)
{
    EXPECT_EQ(nearestText("--max-peek", {"--max-peak-increase", "--max-peak"}), "--max-peak");
}

TEST(NearText, IsSilentWhereNothingIsNear)
{
    EXPECT_EQ(nearestText("frobnicate", kCommands), std::nullopt);
    EXPECT_EQ(nearestText("x", kCommands), std::nullopt);
    EXPECT_EQ(nearestText("", kCommands), std::nullopt);
    EXPECT_EQ(nearestText("peaks", std::vector<std::string>()), std::nullopt);
}

TEST(NearText, ComparesTheBeginningOfAnEndlessWord)
{
    EXPECT_EQ(nearestText(std::string(1 << 20, 'a'), kCommands), std::nullopt);
}

TEST(DidYouMean, IsBehindARefusal)
{
    EXPECT_EQ(didYouMean("peak", kCommands), "; did you mean peaks?");
    EXPECT_EQ(didYouMean("frobnicate", kCommands), "");
}

} // namespace highwater
