// Tests of the map of ranks and steps, using the rectangles that it draws.
#include "core/figure/ranks/rank_heat_figure.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/ranks/evidence_of_run.h"
#include "core/analysis/ranks/rank_merge.h"
#include "core/figure/ranks/rank_heat_map.h"
#include "core/table/run_rank_tables.h"

namespace highwater {

namespace {

/// Returns ranks with this many steps; rank r peaks at r + 1 MiB in its last step.
RunRanks ranks(std::int64_t count, std::int64_t steps)
{
    RankMerge merge;
    for (std::int64_t rank = 0; rank < count; ++rank) {
        RankSummary summary;
        summary.identity.rank = rank;
        summary.identity.pp = rank * 2 / count;
        summary.device.label = "cuda:0";
        summary.device.events = steps;
        summary.device.peakBytes = (rank + 1) * kMiB;
        summary.device.peakEvent = steps - 1;
        summary.sites = {{"site (a.py:1)", (rank + 1) * kMiB, 1}};
        for (std::int64_t i = 0; i < steps; ++i) {
            SummaryStep step;
            step.name = "step " + std::to_string(i);
            step.source = "frames";
            step.begin = i;
            step.end = i + 1;
            step.peakBytes = i + 1 == steps ? (rank + 1) * kMiB : kMiB / 2;
            summary.steps.push_back(step);
        }
        MainCandidate facts = mainCandidate("rank" + std::to_string(rank), summary);
        merge.add(std::move(facts), std::move(summary));
    }
    return merge.finish();
}

std::vector<const FigureRect*> titledCells(const Figure& figure)
{
    std::vector<const FigureRect*> cells;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape); rect && !rect->title.empty())
            cells.push_back(rect);
    return cells;
}

} // namespace

TEST(RankHeatFigure, HasACellForEachRankAndStepThatNamesBoth)
{
    const Figure figure = rankHeatFigure(ranks(4, 3), {});
    const auto cells = titledCells(figure);
    ASSERT_EQ(cells.size(), 12u);
    EXPECT_EQ(cells[0]->title, "rank 0, step 0: 512 KiB");
    EXPECT_EQ(cells[11]->title, "rank 3, step 2: 4 MiB");
    EXPECT_EQ(cells[11]->id, 3);
    EXPECT_EQ(cells[0]->fill, cells[3]->fill) << "the same totals";
    EXPECT_NE(cells[0]->fill, cells[11]->fill);
}

TEST(RankHeatFigure, FillsTheCellInWhichARankRanOutOfMemory)
{
    RunRanks run = ranks(4, 3);
    run.failures.push_back({1, 0, {std::nullopt, 2}, kMiB, ""});
    const Figure figure = rankHeatFigure(run, {});
    const auto cells = titledCells(figure);
    ASSERT_EQ(cells.size(), 13u);
    EXPECT_EQ(cells[12]->title, "rank 1 ran out of memory in step 2");
    EXPECT_EQ(cells[12]->fill, FigurePalette::light().danger);
    EXPECT_NEAR(cells[12]->x, cells[5]->x, 1);
    EXPECT_NEAR(cells[12]->y, cells[5]->y, 1);
    EXPECT_NEAR(cells[12]->width, cells[5]->width, 1);
    EXPECT_NEAR(cells[12]->height, cells[5]->height, 1);
}

TEST(RankHeatFigure, CellsLieBesideEachOtherWithoutGaps)
{
    const Figure figure = rankHeatFigure(ranks(7, 13), {});
    const auto cells = titledCells(figure);
    ASSERT_EQ(cells.size(), 91u);
    for (std::size_t i = 1; i < 13; ++i)
        EXPECT_EQ(cells[i]->x, cells[i - 1]->x + cells[i - 1]->width);
    EXPECT_EQ(cells[13]->y, cells[0]->y + cells[0]->height);
}

TEST(RankHeatFigure, StaysSmallWithManyRanksAndShowsTheHighestOfThoseThatShareARow)
{
    const RunRanks run = ranks(3000, 2);
    const Figure figure = rankHeatFigure(run, {});
    EXPECT_LT(figure.shapes.size(), 4000u);
    // The highest rank, in the last row, is as dark as the end of the scale.
    std::vector<FigureRect> rects;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape))
            rects.push_back(*rect);
    ASSERT_GT(rects.size(), 26u);
    const FigureRect& lastCell = rects[rects.size() - 26]; // 25 shades of the scale follow it
    EXPECT_EQ(lastCell.fill, rects.back().fill);
}

TEST(RankHeatMap, HasTheDarkestShadeOfRowsThatShareAPixel)
{
    const RunRanks run = ranks(40, 3);
    const RankHeatMap map(run);
    std::vector<std::int8_t> shades;
    map.shadesOf({0, 40}, shades);
    ASSERT_EQ(shades.size(), 3u);
    for (std::size_t column = 0; column < 3; ++column)
        EXPECT_EQ(shades[column], map.shadeOf(map.highestOf({0, 40}, {column, column + 1})));
    EXPECT_EQ(shades[2], RankHeatMap::kStrongestShade);
    map.shadesOf({0, 0}, shades);
    EXPECT_EQ(shades[0], RankHeatMap::kNoShade);
}

TEST(RankHeatMap, SpansCoverAllWithoutOverlap)
{
    const std::vector<HeatSpan> spans = heatSpans(3, 103, 7);
    ASSERT_EQ(spans.size(), 7u);
    EXPECT_EQ(spans.front().first, 3u);
    EXPECT_EQ(spans.back().last, 103u);
    for (std::size_t i = 1; i < spans.size(); ++i)
        EXPECT_EQ(spans[i].first, spans[i - 1].last);
    EXPECT_EQ(heatSpans(0, 2, 7).size(), 2u);
}

TEST(RankHeatFigure, SaysSoWhereNothingTellsStepsApart)
{
    const Figure figure = rankHeatFigure(ranks(3, 0), {});
    const bool says = std::ranges::any_of(figure.shapes, [](const FigureShape& shape) {
        const auto* text = std::get_if<FigureText>(&shape);
        return text && text->text == "No steps were detected in these files.";
    });
    EXPECT_TRUE(says);
}

TEST(RunRankTable, HasARowForEachRankInTheirOrder)
{
    const RunRanks run = ranks(6, 3);
    const Table table = runRankTable(run);
    ASSERT_EQ(table.rows.size(), 6u);
    for (const TableRow& row : table.rows)
        ASSERT_EQ(row.size(), table.columns.size());
    EXPECT_EQ(cellText(table.rows[5][0]), "rank 5");
    EXPECT_EQ(cellText(table.rows[5][1]), "6 MiB");
    EXPECT_EQ(cellText(table.rows[5][5]), "1") << "the stage";
    EXPECT_EQ(ranksByImportance(run).front(), 5u);
}

TEST(RunRankTable, HasTheFailedRequestAndItsLineInColumnsOfTheirOwn)
{
    RunRanks run = ranks(6, 3);
    RankFailure failure;
    failure.rank = 2;
    failure.requestedBytes = 112 * kMiB;
    failure.site = "forward (model.py:64)";
    run.failures.push_back(failure);
    const Table table = runRankTable(run);
    EXPECT_EQ(cellText(table.rows[2][2]), "112 MiB");
    EXPECT_EQ(cellText(table.rows[2][3]), "forward (model.py:64)");
    EXPECT_TRUE(rankFailureTable(run).rows.empty()) << "one failure is in the table of ranks";
}

TEST(RunRankTable, OtherTablesAreEmptyWhereThereIsNothingToSay)
{
    const RunRanks run = ranks(6, 3);
    EXPECT_EQ(rankGroupTable(run).rows.size(), 2u);
    EXPECT_TRUE(rankFailureTable(run).rows.empty());
    EXPECT_TRUE(rankLeakTable(run).rows.empty());
    EXPECT_TRUE(rankSettingTable(run).rows.empty());
    EXPECT_TRUE(rankTroubleTable(run).rows.empty());
}

} // namespace highwater
