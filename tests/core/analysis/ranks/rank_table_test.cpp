#include "core/analysis/ranks/rank_table.h"

#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_comparison.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

std::shared_ptr<RankFile> rank(std::int64_t number, Bytes peak)
{
    RankDevice device;
    device.label = "cuda:0";
    device.eventCount = 10;
    device.peakBytes = peak;
    return std::make_shared<RankFile>(
        rankFile({"rank" + std::to_string(number) + ".pickle", number, {}, {}}, {device}));
}

RankTable tableOfPeaks(const std::vector<Bytes>& peaks)
{
    std::vector<std::shared_ptr<const RankFile>> files;
    for (const Bytes peak : peaks)
        files.push_back(rank(static_cast<std::int64_t>(files.size()), peak));
    return compareRanks(std::move(files));
}

std::vector<std::size_t> outliers(const RankTable& table)
{
    std::vector<std::size_t> files;
    for (const RankRow& row : table.rows)
        if (row.isOutlier)
            files.push_back(row.file);
    return files;
}

bool hasSentence(const RankTable& table, std::string_view part)
{
    return std::ranges::any_of(
        table.sentences, [part](const std::string& sentence) { return contains(sentence, part); });
}

} // namespace

TEST(RankTable, ComparesEachPeakWithTheMedian)
{
    const RankTable table = tableOfPeaks({10, 40, 20, 30, 50});
    ASSERT_EQ(table.groups.size(), 1u);
    EXPECT_EQ(table.groups[0].medianPeak, 30);
    EXPECT_EQ(table.groups[0].deviation, 10);
    EXPECT_EQ(table.rows[1].aboveMedian, 10);
}

TEST(RankTable, TakesTheMeanOfTheMiddleTwo)
{
    EXPECT_EQ(tableOfPeaks({10, 20, 31, 90}).groups[0].medianPeak, 25);
}

TEST(RankTable, NamesTheOneThatStandsOut)
{
    const Bytes usual = 20 * kGiB;
    const RankTable table
        = tableOfPeaks({usual, usual, usual, usual + 4 * kGiB + 100 * kMiB, usual, usual, usual, usual});
    EXPECT_EQ(outliers(table), std::vector<std::size_t>{3});
    EXPECT_EQ(table.rows[3].aboveMedian, 4 * kGiB + 100 * kMiB);
    EXPECT_EQ(table.groups[0].medianPeak, usual);
    EXPECT_EQ(table.groups[0].rankCount, 8u);
    EXPECT_TRUE(hasSentence(table, "Rank 3 peaks 4.1 GiB above")) << table.sentences.front();
}

TEST(RankTable, NamesOneThatIsFarBelowTheMedian)
{
    EXPECT_EQ(outliers(tableOfPeaks({1000, 1000, 400, 1000})), std::vector<std::size_t>{2});
}

TEST(RankTable, MentionsStagesOnlyWhereTheOtherRanksDifferToo)
{
    EXPECT_FALSE(hasSentence(tableOfPeaks({1000, 1000, 400, 1000}), "pipeline stages"));
    EXPECT_TRUE(hasSentence(tableOfPeaks({1000, 1010, 1020, 1030, 5000}), "pipeline stages"));
}

TEST(RankTable, FindsNothingInDifferencesOfTwoPerCent)
{
    const RankTable table = tableOfPeaks({1000, 1000, 1000, 1020});
    EXPECT_TRUE(outliers(table).empty());
    EXPECT_EQ(table.groups[0].medianPeak, 1000);
    EXPECT_EQ(table.groups[0].highestPeak, 1020);
    EXPECT_TRUE(hasSentence(table, "4 ranks agree")) << table.sentences.front();
    EXPECT_EQ(outliers(tableOfPeaks({1000, 1000, 1000, 1021})), std::vector<std::size_t>{3});
}

TEST(RankTable, FindsNothingWhereAllRanksScatter)
{
    EXPECT_TRUE(outliers(tableOfPeaks({1000, 1400, 1800, 2200, 2600})).empty());
}

TEST(RankTable, CannotTellWhichOfTwoStandsOut)
{
    EXPECT_TRUE(outliers(tableOfPeaks({1000, 9000})).empty());
}

TEST(RankTable, SaysThatEqualRanksAgree)
{
    EXPECT_EQ(tableOfPeaks({kGiB, kGiB, kGiB}).sentences,
        std::vector<std::string>{"3 ranks agree, all peaking at 1 GiB."});
}

TEST(RankTable, ComparesWithinAStage)
{
    std::vector<std::shared_ptr<const RankFile>> files;
    for (std::int64_t number = 0; number < 8; ++number) {
        auto file = rank(number, number < 4 ? 1000 : 5000);
        file->member.stage = number / 4;
        files.push_back(file);
    }
    const RankTable table = compareRanks(files);
    EXPECT_EQ(table.groups.size(), 2u);
    EXPECT_TRUE(outliers(table).empty());
}

TEST(RankTable, ComparesWithinAStep)
{
    std::vector<std::shared_ptr<const RankFile>> files;
    for (std::int64_t number = 0; number < 3; ++number)
        for (const std::int64_t step : {10, 20}) {
            auto file = rank(number, 1000 * step);
            file->member.step = step;
            files.push_back(file);
        }
    const RankTable table = compareRanks(files);
    EXPECT_EQ(table.groups.size(), 2u);
    EXPECT_TRUE(outliers(table).empty());
}

TEST(RankTable, NeverMergesDevices)
{
    RankDevice first;
    first.label = "cuda:0";
    first.eventCount = 5;
    first.peakBytes = 100;
    RankDevice second = first;
    second.device = 1;
    second.label = "cuda:1";
    second.peakBytes = 900;
    std::vector<std::shared_ptr<const RankFile>> files;
    for (std::int64_t number = 0; number < 3; ++number)
        files.push_back(std::make_shared<RankFile>(rankFile({"rank", number, {}, {}}, {first, second})));
    const RankTable table = compareRanks(files);
    ASSERT_EQ(table.rows.size(), 6u);
    EXPECT_EQ(table.deviceOf(table.rows[0])->label, "cuda:1") << "the main device comes first";
    EXPECT_EQ(table.deviceOf(table.rows[1])->label, "cuda:0");
    EXPECT_EQ(table.rows[1].group, RankRow::kNone);
    EXPECT_EQ(table.groups[0].rankCount, 3u);
    EXPECT_EQ(table.mainRow(2), 4u);
}

TEST(RankTable, ListsABrokenFileWithItsError)
{
    std::vector<std::shared_ptr<const RankFile>> files{rank(0, kGiB), rank(1, kGiB)};
    files.push_back(std::make_shared<RankFile>(unreadableRank({"rank2.pickle", 2, {}, {}}, "is empty")));
    const RankTable table = compareRanks(files);
    EXPECT_EQ(table.rows.size(), 3u);
    EXPECT_EQ(table.deviceOf(table.rows[2]), nullptr);
    EXPECT_TRUE(hasSentence(table, "Rank 2 cannot be read"));
    EXPECT_TRUE(hasSentence(table, "2 ranks agree"));
}

TEST(RankTable, DoesNotCompareIncompleteFiles)
{
    auto cut = rank(2, 10);
    cut->isIncomplete = true;
    const RankTable table = compareRanks({rank(0, 1000), rank(1, 1000), cut, rank(3, 1000)});
    EXPECT_EQ(table.groups[0].rankCount, 3u);
    EXPECT_TRUE(hasSentence(table, "rank 2 is incomplete"));
}

TEST(RankTable, SaysWhereMemoryRanOut)
{
    auto out = rank(1, 1000);
    out->devices[0].oomCount = 1;
    EXPECT_EQ(compareRanks({rank(0, 1000), out}).sentences.front(), "Rank 1 ran out of memory.");
}

TEST(RankTable, LetsFilesRecordAFailureWhereNoRankIsKnown)
{
    auto unknown = rank(0, kGiB);
    unknown->member.rank.reset();
    unknown->devices[0].oomCount = 1;
    auto log = std::make_shared<RankFile>(rankFile({"train.log", {}, {}, {}}, std::vector<RankDevice>{}));
    log->failureCount = 1;
    EXPECT_EQ(compareRanks({rank(1, kGiB), unknown}).sentences.front(),
        "rank0.pickle records an out-of-memory failure.");
    EXPECT_EQ(compareRanks({unknown, unknown, log}).sentences,
        (std::vector<std::string>{"rank0.pickle, rank0.pickle and train.log record out-of-memory failures.",
            "2 files agree, all peaking at 1 GiB.",
            "Ranks are unknown; these files are compared as if they were one run. If they are two runs, use "
            "highwater diff, or report with --before."}));
}

TEST(RankTable, NamesRanksWithoutAFile)
{
    EXPECT_TRUE(
        hasSentence(compareRanks({rank(0, 10), rank(1, 10), rank(3, 10)}), "There is no file of rank 2."));
    EXPECT_EQ(compareRanks({rank(0, 10), rank(64, 10)}).sentences.size(), 1u) << "few of many are a choice";
}

TEST(RankTable, ComparesFilesOfUnknownRankOnlyAmongThemselves)
{
    auto unknown = rank(0, 90);
    unknown->member.rank.reset();
    const RankTable mixed = compareRanks({unknown, rank(1, 10), rank(2, 10)});
    EXPECT_EQ(mixed.groups[0].rankCount, 2u);
    EXPECT_EQ(mixed.rows[0].group, RankRow::kNone);
    EXPECT_EQ(compareRanks({unknown, unknown}).groups[0].rankCount, 2u);
}

TEST(SiteDifference, IsTheLargestOverBothSides)
{
    RankDevice one;
    one.peakSites = {{"a", 100}, {"b", 10}};
    RankDevice other;
    other.peakSites = {{"a", 90}, {"c", 50}};
    const auto difference = largestSiteDifference(one, other);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->key, "c");
    EXPECT_EQ(difference->bytes, -50);
    EXPECT_FALSE(largestSiteDifference(one, one));
}

TEST(OnOneClock, NeedsAMomentThatAllRanksHave)
{
    auto one = rank(0, 10);
    auto other = rank(1, 10);
    EXPECT_FALSE(hasOverlappingTimes(compareRanks({one, other}))) << "no times";
    one->devices[0].outline = {{}, {1}, 100, 200};
    other->devices[0].outline = {{}, {1}, 150, 300};
    EXPECT_TRUE(hasOverlappingTimes(compareRanks({one, other})));
    other->devices[0].outline.begin = 200;
    EXPECT_FALSE(hasOverlappingTimes(compareRanks({one, other})));
}

} // namespace highwater
