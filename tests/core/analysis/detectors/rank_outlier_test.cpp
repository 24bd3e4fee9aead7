#include "core/analysis/detectors/rank_outlier.h"

#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_comparison.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

using Sites = std::vector<std::pair<std::string, Bytes>>;

std::vector<RankFinding> outliersOf(
    const std::vector<Bytes>& peaks, Sites (*sitesOf)(Bytes) = [](Bytes peak) -> Sites {
        return {{"load (train.py:1)", 100}, {"loss (train.py:3)", peak / 2}};
    })
{
    std::vector<std::shared_ptr<const RankFile>> files;
    for (const Bytes peak : peaks) {
        RankDevice device;
        device.label = "cuda:0";
        device.eventCount = 10;
        device.peakEvent = 7;
        device.peakBytes = peak;
        device.peakSites = sitesOf(peak);
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

TEST(RankOutlier, NamesThePlaceAndTheRanksToCompare)
{
    const auto found = outliersOf({1000, 1000, 1600, 1000});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].finding.remedy.action, {"rank 2", "rank 0", "loss (train.py:3)"}));
    EXPECT_EQ(found[0].finding.remedy.action.find("tokens"), std::string::npos) << "one place is no batch";
}

TEST(RankOutlier, AsksForEvenBatchesWherePlacesHoldTheSameMultiple)
{
    const auto found = outliersOf({1000, 1000, 1750, 1000}, [](Bytes peak) -> Sites {
        return {{"attention (model.py:8)", peak / 4}, {"load (train.py:1)", 100},
            {"logits (model.py:9)", peak / 4}, {"loss (train.py:3)", peak / 4}};
    });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].finding.remedy.action, {"tokens", "rank 2"}));
    EXPECT_TRUE(test::hasParts(found[0].finding.evidence.at(1).sentence,
        {"On rank 2, 3 call sites", "1.75×", "rank 0", "rank 2's batches"}));
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
