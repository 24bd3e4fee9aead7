#include "core/figure/waterfall_figure.h"

#include <gtest/gtest.h>

#include "core/figure/svg_writer.h"

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

/// +60, −30, +5, 0.
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
        (std::vector<WaterfallBar>{{"before", 0, 47, true}, {"a", 47, 107, false}, {"b", 107, 77, false},
            {"c", 77, 82, false}, {"after", 0, 82, true}}));
}

TEST(WaterfallBars, PutTheRestInOneBar)
{
    EXPECT_EQ(waterfallBars(example(), 1),
        (std::vector<WaterfallBar>{{"before", 0, 47, true}, {"a", 47, 107, false},
            {"2 others", 107, 82, false}, {"after", 0, 82, true}}));
}

TEST(WaterfallBars, AreTheTotalsAloneWhereNothingDiffers)
{
    EXPECT_EQ(waterfallBars({}, 5).size(), 2u);
}

TEST(WaterfallBars, NameCallSitesByFileAndLine)
{
    RunDiff diff;
    diff.rows = {row("forward (src/run/model.py:12)", 0, 5), row("(no stack: none was taken)", 0, 4)};
    EXPECT_EQ(waterfallBars(diff, 5)[1].label, "forward model.py:12");
    EXPECT_EQ(waterfallBars(diff, 5)[2].label, "(no stack: none was taken)");
}

TEST(WaterfallFigure, SaysThatTheTotalDidNotMove)
{
    RunDiff diff;
    diff.before.bytes = diff.after.bytes = 5;
    const std::string svg = toSvg(waterfallFigure(diff, {"x", "y", "site"}, {}));
    EXPECT_NE(svg.find("The total did not move"), std::string::npos);
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
