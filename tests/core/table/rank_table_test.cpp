#include "core/table/rank_table.h"

#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_comparison.h"

namespace highwater {

namespace {

std::shared_ptr<const RankFile> rank(std::int64_t number, Bytes peak, std::int64_t ooms = 0)
{
    RankDevice device;
    device.label = "cuda:0";
    device.peakBytes = peak;
    device.peakEvent = 3;
    device.oomCount = ooms;
    return std::make_shared<const RankFile>(
        rankFile({"rank" + std::to_string(number) + ".pickle", number, {}, {}}, {device}));
}

} // namespace

TEST(TableOfRanks, MarksTheOneThatStandsOut)
{
    const RankTable ranks = compareRanks({rank(0, 1024), rank(1, 1024), rank(2, 1024), rank(3, 4096)});
    const Table table = rankTable(ranks);
    ASSERT_EQ(table.rows.size(), 4u);
    EXPECT_EQ(cellText(table.rows[0][0]), "rank 0");
    EXPECT_EQ(cellText(table.rows[3][0]), "rank 3 (outlier)");
    EXPECT_EQ(cellText(table.rows[3][2]), "4 KiB");
    EXPECT_EQ(cellText(table.rows[3][3]), "+3 KiB");
    EXPECT_EQ(cellText(table.rows[0][3]), "0 B");
}

TEST(TableOfRanks, AlertsToAPeakOnlyWhereTheRankFailed)
{
    for (const std::int64_t ooms : {0, 1}) {
        const RankTable ranks
            = compareRanks({rank(0, 1024), rank(1, 1024), rank(2, 1024), rank(3, 4096, ooms)});
        EXPECT_EQ(rankTable(ranks).rows[3][2].tone, ooms > 0 ? CellTone::Worse : CellTone::Plain);
    }
}

TEST(TableOfRanks, SaysThatAFileCannotBeRead)
{
    const RankTable ranks = compareRanks({rank(0, 1),
        std::make_shared<const RankFile>(unreadableRank({"b.pickle", 1, {}, {}}, "is no snapshot"))});
    const Table table = rankTable(ranks);
    EXPECT_EQ(cellText(table.rows[1][8]), "cannot be read");
    EXPECT_EQ(table.rows[1].size(), table.columns.size());
}

TEST(TableOfRanks, ShowsTheFailureThatALogReports)
{
    RankFile log = rankFile({"train.log", {}, {}, {}}, std::vector<RankDevice>{});
    log.failureCount = 1;
    log.firstFailureLine = 7;
    const Table table = rankTable(compareRanks({rank(0, 1), std::make_shared<const RankFile>(log)}));
    EXPECT_EQ(cellText(table.rows[1][0]), "unknown");
    EXPECT_EQ(cellText(table.rows[1][6]), "at line 7");
}

} // namespace highwater
