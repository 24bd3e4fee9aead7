#include "core/analysis/detectors/rank_outlier.h"

#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_comparison.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

std::vector<RankFinding> outliersOf(const std::vector<Bytes>& peaks)
{
    std::vector<std::shared_ptr<const RankFile>> files;
    for (const Bytes peak : peaks) {
        RankDevice device;
        device.label = "cuda:0";
        device.events = 10;
        device.peakEvent = 7;
        device.peakBytes = peak;
        device.peakSites = {{"loss (train.py:3)", peak / 2}, {"load (train.py:1)", 100}};
        const auto number = static_cast<std::int64_t>(files.size());
        files.push_back(std::make_shared<RankFile>(
            rankFile({"rank" + std::to_string(number) + ".pickle", number, {}, {}}, {device})));
    }
    return findRankOutliers(compareRanks(std::move(files)));
}

} // namespace

TEST(RankOutlier, IsWhatStandsAboveTheMedian)
{
    const auto found = outliersOf({1000, 1000, 1600, 1000});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].row.file, 2u);
    EXPECT_EQ(found[0].finding.bytes, 600);
    EXPECT_EQ(found[0].finding.remedy.savedBytes, 0) << "the distance saves nothing by itself";
    EXPECT_EQ(found[0].finding.kind, FindingKind::Fault);
    EXPECT_EQ(found[0].finding.event, 7);
    EXPECT_TRUE(test::hasParts(found[0].finding.title, {"Rank 2", "600 B above", "4 ranks"}));
    const Evidence& largest = found[0].finding.evidence.at(1);
    EXPECT_EQ(std::get<SiteTarget>(largest.target).key, "loss (train.py:3)");
    EXPECT_TRUE(test::hasParts(largest.sentence, {"rank 0", "+300 B"}));
}

TEST(RankOutlier, BelowTheMedianIsNoFault)
{
    const auto found = outliersOf({1000, 1000, 400, 1000});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].finding.bytes, 600);
    EXPECT_EQ(found[0].finding.kind, FindingKind::Fact);
    EXPECT_EQ(found[0].finding.remedy.savedBytes, 0);
}

TEST(RankOutlier, IsSilentWhereRanksAgreeOrAreTooFew)
{
    EXPECT_TRUE(outliersOf({1000, 1000, 1000}).empty());
    EXPECT_TRUE(outliersOf({1000, 5000}).empty());
}

} // namespace highwater
