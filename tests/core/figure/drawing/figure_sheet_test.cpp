#include "core/figure/drawing/figure_sheet.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace highwater {

namespace {

constexpr FigureColor kColor = 0x336699;

std::vector<std::string> labelsOf(const std::vector<LegendEntry>& entries)
{
    std::vector<std::string> labels;
    for (const LegendEntry& entry : entries)
        labels.push_back(entry.label);
    return labels;
}

/// Lays out a legend in a quarter of that height, which has room for a row or two.
std::vector<std::string> fitting(int width, int height, const std::vector<LegendEntry>& entries)
{
    const FigureSheet sheet({.width = width, .height = 300, .titled = false}, "", "");
    return labelsOf(sheet.fittingLegend(entries, height / 4.0));
}

} // namespace

TEST(Legend, KeepsItsOrderWhereAllHasRoom)
{
    EXPECT_EQ(
        fitting(900, 300, {LegendEntry::area("small", 1, kColor), LegendEntry::area("large", 2, kColor)}),
        (std::vector<std::string>{"small", "large"}));
}

TEST(ShortFigure, HasNoLegendAndNoNamesOfAxes)
{
    FigureSheet sheet({.width = 600, .height = 150, .titled = false}, "", "");
    const std::vector<LegendEntry> entries = sheet.fittingLegend({LegendEntry::area("area", 1, kColor)});
    EXPECT_TRUE(entries.empty());
    PlotFrame plot = sheet.plot(sheet.labelRoom(), sheet.axisRoom(), entries);
    EXPECT_GT(plot.height(), 100);
    plot.yTop = 4 * kGiB;
    sheet.byteAxis(plot, "bytes");
    sheet.countAxis(plot, {{0, 1}, {"0", "1"}}, "step");
    std::vector<std::string> texts;
    for (const FigureShape& shape : sheet.take().shapes)
        if (const auto* text = std::get_if<FigureText>(&shape))
            texts.push_back(text->text);
    EXPECT_EQ(std::ranges::count(texts, "step") + std::ranges::count(texts, "bytes"), 0);
    EXPECT_GE(texts.size(), 4u);
}

TEST(LabelOverData, LeavesOutTheClausesThatHaveNoRoom)
{
    const std::string whole = "out of memory, requested 12 MiB · peak 30.57 GiB";
    const auto shownIn = [&](double width) {
        FigureSheet sheet({.width = 600, .height = 150, .titled = false}, "", "");
        const PlotFrame plot{.left = 50, .top = 10, .right = 50 + width, .bottom = 100};
        const FigureArea plate = sheet.label(plot.right, 60, whole, kColor, plot);
        EXPECT_GE(plate.x, plot.left);
        EXPECT_LE(plate.x + plate.width, plot.right);
        std::string shown;
        for (const FigureShape& shape : sheet.take().shapes)
            if (const auto* text = std::get_if<FigureText>(&shape))
                shown = text->text;
        return shown;
    };
    const auto room = [](const std::string& text) { return textWidth(text, FigureSheet::kFont, true) + 13; };
    EXPECT_EQ(shownIn(room(whole)), whole);
    EXPECT_EQ(shownIn(room(whole) - 5), "out of memory, requested 12 MiB");
    EXPECT_EQ(shownIn(room("out of memory")), "out of memory");
}

TEST(ByteAxis, HasNoNameAndLessRoomWhereTheFigureIsNarrow)
{
    const FigureOptions narrow{.width = 240, .height = 240, .titled = false};
    const FigureOptions wide{.width = 600, .height = 240, .titled = false};
    EXPECT_FALSE(narrow.namesBytes());
    EXPECT_TRUE(wide.namesBytes());
    EXPECT_LT(narrow.labelRoom(), wide.labelRoom());
}

TEST(ByteAxis, HasTwoLabelsAlsoWhereItBeginsBelowZero)
{
    FigureSheet sheet({.width = 240, .height = 240, .titled = false}, "", "");
    PlotFrame plot = sheet.plot(sheet.labelRoom(), sheet.axisRoom(), {});
    plot.fitRange(-7 * kGiB, 5 * kGiB);
    sheet.byteAxis(plot, "");
    std::vector<std::string> labels;
    for (const FigureShape& shape : sheet.take().shapes)
        if (const auto* text = std::get_if<FigureText>(&shape); text != nullptr && !text->text.empty())
            labels.push_back(text->text);
    EXPECT_GE(labels.size(), 2u);
}

TEST(CountAxis, KeepsItsLastLabelOffTheEdgeOfTheSheet)
{
    FigureSheet sheet({.width = 600, .height = 240, .titled = false}, "", "");
    PlotFrame plot = sheet.plot(sheet.labelRoom(), sheet.axisRoom(), {});
    sheet.countAxis(plot, {{1}, {"remainder"}}, "");
    const double end = sheet.width() - sheet.margin();
    const Figure figure = sheet.take();
    EXPECT_TRUE(std::ranges::any_of(figure.shapes, [&](const FigureShape& shape) {
        const auto* text = std::get_if<FigureText>(&shape);
        return text && text->text == "remainder" && text->anchor == TextAnchor::End && text->x == end;
    }));
}

TEST(ShortFigure, IsOnlyOneInAPlaceWithItsOwnTitle)
{
    EXPECT_FALSE((FigureOptions{.height = 150}.isShort()));
    EXPECT_FALSE((FigureOptions{.height = 200, .titled = false}.isShort()));
}

TEST(Legend, WithoutRoomLeavesOutTheSmallestAreasAndNoLine)
{
    std::vector<LegendEntry> entries;
    for (const Bytes bytes : {900, 1, 800, 2, 700, 3, 600})
        entries.push_back(LegendEntry::area("area of " + std::to_string(bytes), bytes, kColor));
    entries.push_back({.label = "capacity", .color = kColor, .isLine = true});

    EXPECT_EQ(fitting(800, 120, entries),
        (std::vector<std::string>{"area of 900", "area of 800", "area of 700", "capacity", "and 4 more"}));
}

TEST(Legend, OfLinesAloneLeavesOutTheLastOnes)
{
    std::vector<LegendEntry> entries;
    for (const char* label : {"first measure of a log", "second measure of a log", "third measure of a log"})
        entries.push_back({.label = label, .color = kColor, .isLine = true});

    EXPECT_EQ(fitting(420, 120, entries), (std::vector<std::string>{"first measure of a log", "and 2 more"}));
}

} // namespace highwater
