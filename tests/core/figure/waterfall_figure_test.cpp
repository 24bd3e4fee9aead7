#include "core/figure/waterfall_figure.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/figure/drawing/svg_writer.h"

namespace highwater {

namespace {

DiffRow row(const std::string& key, Bytes before, Bytes after)
{
    DiffRow row;
    row.key = key;
    row.before = {before, before > 0, before};
    row.after = {after, after > 0, after};
    return row;
}

/// Returns changes of +60, −30, +5 and 0.
RunDiff example()
{
    RunDiff diff;
    diff.rows = {row("a", 10, 70), row("b", 30, 0), row("c", 0, 5), row("same", 7, 7)};
    diff.before.bytes = 47;
    diff.after.bytes = 82;
    return diff;
}

} // namespace

TEST(WaterfallBars, LeadFromTheTotalBeforeToTheTotalAfter)
{
    EXPECT_EQ(waterfallBars(example(), 10),
        (std::vector<WaterfallBar>{{"before", 0, 47, true}, {"a", 47, 107, false, 0},
            {"b", 107, 77, false, 1}, {"c", 77, 82, false, 2}, {"after", 0, 82, true}}));
}

TEST(WaterfallBars, PutTheRestInABarForEachSign)
{
    RunDiff diff;
    diff.rows = {row("a", 0, 60), row("b", 30, 0), row("c", 20, 0), row("d", 0, 5), row("e", 0, 4)};
    diff.before.bytes = 50;
    diff.after.bytes = 69;
    EXPECT_EQ(waterfallBars(diff, 1),
        (std::vector<WaterfallBar>{{"before", 0, 50, true}, {"a", 50, 110, false, 0},
            {"2 others grew", 110, 119, false}, {"2 others shrank", 119, 69, false},
            {"after", 0, 69, true}}));
}

TEST(WaterfallBars, NameTheOnlyOtherRow)
{
    EXPECT_EQ(waterfallBars(example(), 1),
        (std::vector<WaterfallBar>{{"before", 0, 47, true}, {"a", 47, 107, false, 0},
            {"c", 107, 112, false, 2}, {"b", 112, 82, false, 1}, {"after", 0, 82, true}}));
}

TEST(WaterfallBars, DoNotHideChangesThatOffsetEachOther)
{
    RunDiff diff;
    diff.rows = {row("a", 0, 3000), row("b", 3000, 0)};
    diff.before.bytes = diff.after.bytes = 3000;
    const std::vector<WaterfallBar> bars = waterfallBars(diff, 0);
    ASSERT_EQ(bars.size(), 4u);
    EXPECT_EQ(bars[1].end - bars[1].begin, 3000);
    EXPECT_EQ(bars[2].end - bars[2].begin, -3000);
}

TEST(WaterfallBars, KeepRowsThatCannotBeComparedApart)
{
    RunDiff diff = example();
    diff.rows.back() = row("freed by c", 0, 8);
    diff.rows.back().cut = RowCut::StartsLate;
    diff.after.bytes = 90;
    const std::vector<WaterfallBar> bars = waterfallBars(diff, 10);
    EXPECT_EQ(bars[bars.size() - 2], (WaterfallBar{"1 not comparable", 82, 90, false}));
}

TEST(WaterfallBars, SumToTheDifference)
{
    for (std::size_t most = 0; most < 4; ++most) {
        const std::vector<WaterfallBar> bars = waterfallBars(example(), most);
        Bytes level = bars.front().end;
        for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
            EXPECT_EQ(bars[i].begin, level);
            level = bars[i].end;
        }
        EXPECT_EQ(level, bars.back().end);
    }
}

TEST(WaterfallBars, AreTheTotalsAloneWhereNothingDiffers)
{
    EXPECT_EQ(waterfallBars({}, 5).size(), 2u);
}

TEST(WaterfallBars, NameCallSitesByFileAndLine)
{
    RunDiff diff;
    diff.rows = {row("forward (src/run/model.py:12)", 0, 5), row("(no stack: none was taken)", 0, 4)};
    EXPECT_EQ(waterfallBars(diff, 5)[1].label, "forward (model.py:12)");
    EXPECT_EQ(waterfallBars(diff, 5)[2].label, "(no stack: none was taken)");
}

TEST(WaterfallFigure, SaysThatTheTotalDidNotMove)
{
    RunDiff diff;
    diff.before.bytes = diff.after.bytes = 5;
    const std::string svg = toSvg(waterfallFigure(diff, {"x", "y", "site"}, {}));
    EXPECT_NE(svg.find("no change of the total"), std::string::npos);
}

TEST(WaterfallFigure, NamesTheRowsThatItsShapesStandFor)
{
    std::vector<int> ids;
    for (const FigureShape& shape : waterfallFigure(example(), {"x", "y", "site"}, {}).shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape))
            ids.push_back(rect->id);
    EXPECT_EQ(ids, (std::vector<int>{-1, 0, 0, 1, 1, 2, 2, -1})); // bars, each with its row for the pointer
}

TEST(WaterfallFigure, TellsARowWholeUnderThePointer)
{
    const Figure figure = waterfallFigure(example(), {"x", "y", "site"}, {});
    EXPECT_TRUE(std::any_of(figure.shapes.begin(), figure.shapes.end(), [](const FigureShape& shape) {
        const auto* rect = std::get_if<FigureRect>(&shape);
        return rect && rect->title == "b\nbefore 30 B in 1 → after 0 B in 0 (−30 B, gone)";
    }));
}

TEST(WaterfallFigure, LeavesOutItsTitleWhereThePlaceHasOne)
{
    FigureOptions options{.source = "a ↔ b"};
    const std::string line = ">a ↔ b · what changed</text>";
    EXPECT_NE(toSvg(waterfallFigure(example(), {"x", "y", "site"}, options)).find(line), std::string::npos);
    options.titled = false;
    const Figure bare = waterfallFigure(example(), {"x", "y", "site"}, options);
    EXPECT_EQ(toSvg(bare).find(line), std::string::npos);
    EXPECT_TRUE(bare.title.starts_with("a ↔ b · what changed")); // for readers who cannot see it
}

TEST(WaterfallFigure, HasAnAxisBelowATitleOrBrokenBars)
{
    const auto lines = [](const RunDiff& diff, bool titled) {
        const Figure figure = waterfallFigure(
            diff, {"x", "y", "site"}, {.width = 800, .height = 300, .source = "a", .titled = titled});
        return std::ranges::count_if(figure.shapes, [](const FigureShape& shape) {
            const auto* line = std::get_if<FigureLine>(&shape);
            return line && line->color == FigurePalette::light().grid;
        });
    };
    RunDiff broken = example();
    broken.rows.push_back(row("large", 1000, 1000));
    broken.before.bytes += 1000;
    broken.after.bytes += 1000;
    EXPECT_EQ(lines(example(), false), 0);
    EXPECT_GT(lines(example(), true), 0);
    EXPECT_GT(lines(broken, false), 0);
}

TEST(WaterfallFigure, KeepsTheLabelsOfItsAxisOnALowSheet)
{
    RunDiff diff;
    for (int i = 0; i < 3; ++i)
        diff.rows.push_back(row("row " + std::to_string(i), 1000, 1100 - i));
    diff.before.bytes = 3000;
    diff.after.bytes = 3297;
    int onAxis = 0;
    for (const FigureShape& shape :
        waterfallFigure(diff, {"x", "y", "site"}, {.width = 700, .height = 110, .titled = false}).shapes)
        if (const auto* text = std::get_if<FigureText>(&shape)) {
            EXPECT_LE(text->y, 110 - 4);
            onAxis += text->anchor == TextAnchor::Middle;
        }
    EXPECT_GT(onAxis, 0);
}

TEST(WaterfallFigure, NamesRowsInPlaceOfAnAxisOnALowSheet)
{
    RunDiff diff;
    for (int i = 0; i < 20; ++i)
        diff.rows.push_back(row("row " + std::to_string(i), 1000, 1100 - i));
    diff.before.bytes = 20'000;
    diff.after.bytes = 20'000 + 20 * 100 - 190;
    int named = 0;
    for (const FigureShape& shape :
        waterfallFigure(diff, {"x", "y", "site"}, {.width = 700, .height = 126, .titled = false}).shapes)
        if (const auto* text = std::get_if<FigureText>(&shape)) {
            EXPECT_NE(text->anchor, TextAnchor::Middle);
            named += text->text.starts_with("row ");
        }
    EXPECT_EQ(named, 4); // and the totals and the rest
}

TEST(WaterfallFigure, HasAsManyRowsInAPaneAsItsHeightHolds)
{
    RunDiff diff;
    for (int i = 0; i < 40; ++i)
        diff.rows.push_back(row("row " + std::to_string(i), 0, 100 - i));
    const Figure figure = waterfallFigure(
        diff, {"x", "y", "site"}, {.width = 900, .height = 215, .source = "a", .titled = false});
    const auto named = std::ranges::count_if(figure.shapes, [](const FigureShape& shape) {
        const auto* text = std::get_if<FigureText>(&shape);
        return text && text->text.starts_with("row ");
    });
    EXPECT_EQ(named, 11); // and the totals and the rest
}

TEST(WaterfallFigure, HasLowerRowsRatherThanAnUnnamedLongestBar)
{
    RunDiff diff;
    for (int i = 0; i < 8; ++i)
        diff.rows.push_back(row("long " + std::to_string(i), 0, 100));
    for (int i = 0; i < 3; ++i)
        diff.rows.push_back(row("middle " + std::to_string(i), 0, 50));
    for (int i = 0; i < 10; ++i)
        diff.rows.push_back(row("short " + std::to_string(i), 0, 1));
    diff.after.bytes = 8 * 100 + 3 * 50 + 10;
    const Figure figure = waterfallFigure(diff, {"x", "y", "site"}, {.width = 900, .height = 400});
    const auto named = [&](std::string_view name) {
        return std::ranges::count_if(figure.shapes, [&](const FigureShape& shape) {
            const auto* text = std::get_if<FigureText>(&shape);
            return text && text->text.starts_with(name);
        });
    };
    EXPECT_EQ(named("long "), 8);
    EXPECT_EQ(named("middle "), 2);
    EXPECT_EQ(named("short "), 0);
}

TEST(WaterfallFigure, HasRoomForMoreBarsThanTotalsInALowPane)
{
    RunDiff diff;
    for (int i = 0; i < 20; ++i)
        diff.rows.push_back(row("row " + std::to_string(i), 0, 100 - i));
    FigureOptions options{.width = 700, .height = 150, .titled = false};
    const Figure figure = waterfallFigure(diff, {"x", "y", "site"}, options);
    int named = 0;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* text = std::get_if<FigureText>(&shape)) {
            EXPECT_LE(text->y, 150);
            named += text->text.starts_with("row ");
        }
    EXPECT_GE(named, 4);
}

TEST(WaterfallFigure, EscapesWhateverKeysHold)
{
    RunDiff diff = example();
    diff.rows[0].key = "<script>alert(1)</script>";
    const std::string svg = toSvg(waterfallFigure(diff, {"x", "y", "site"}, {}));
    EXPECT_EQ(svg.find("<script>"), std::string::npos);
    EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
}

} // namespace highwater
