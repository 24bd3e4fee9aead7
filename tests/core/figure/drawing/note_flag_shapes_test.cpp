#include "core/figure/drawing/note_flag_shapes.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

PlotFrame plot()
{
    PlotFrame frame;
    frame.left = 100;
    frame.right = 900;
    frame.top = 50;
    frame.bottom = 350;
    frame.xEnd = 800;
    return frame;
}

NoteFlag flag(int number, double first, double last)
{
    return {number, first, last, NoteColor::Red, "note"};
}
NoteFlag flag(int number, double first)
{
    return flag(number, first, first);
}

std::vector<std::string> labels(const std::vector<FlagPlace>& places)
{
    std::vector<std::string> all;
    for (const FlagPlace& place : places)
        all.push_back(place.label());
    return all;
}

} // namespace

TEST(FlagPlaces, StandOverTheirPlaces)
{
    const std::vector<FlagPlace> places = placeFlags({flag(1, 200), flag(2, 600)}, plot());
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(places[0].x, 300);
    EXPECT_EQ((places[0].left + places[0].right) / 2, 300);
    EXPECT_EQ(places[1].row, 0);
}

TEST(FlagPlaces, MoveToASecondRowWhereTheyWouldTouch)
{
    const std::vector<FlagPlace> places = placeFlags({flag(1, 200), flag(2, 204)}, plot());
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(places[0].row, 0);
    EXPECT_EQ(places[1].row, 1);
    EXPECT_GT(flagsHeight(places), flagsHeight({places[0]}));
}

TEST(FlagPlaces, AreJoinedWhereThereIsNoRoomInTwoRows)
{
    EXPECT_EQ(labels(placeFlags({flag(1, 200), flag(2, 202), flag(3, 204), flag(4, 206)}, plot())),
        (std::vector<std::string>{"1", "2–4"}));
    EXPECT_EQ(labels(placeFlags({flag(1, 200), flag(2, 202), flag(5, 204)}, plot())),
        (std::vector<std::string>{"1", "2, 5"}));
    EXPECT_EQ(
        labels(placeFlags({flag(1, 200), flag(2, 202), flag(5, 204), flag(9, 206), flag(12, 206)}, plot())),
        (std::vector<std::string>{"1", "2, 5, …"}));
}

TEST(FlagPlaces, NeverOverlapHoweverManyThereAre)
{
    std::vector<NoteFlag> flags;
    for (int i = 1; i <= 300; ++i)
        flags.push_back(flag(i, (i * 7919) % 800));
    const std::vector<FlagPlace> places = placeFlags(flags, plot());
    std::size_t notes = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        notes += places[i].notes.size();
        EXPECT_GE(places[i].left, plot().left);
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_TRUE(places[i].row != places[j].row || places[j].right <= places[i].left
                || places[i].right <= places[j].left)
                << i << ' ' << j;
    }
    EXPECT_EQ(notes, flags.size());
}

TEST(FlagPlaces, LeaveOutWhatLiesOutsideOfThePicture)
{
    EXPECT_TRUE(placeFlags({flag(1, 801), flag(2, -5)}, plot()).empty());
    const std::vector<FlagPlace> places = placeFlags({flag(1, -50, 10)}, plot());
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(places[0].x, plot().left);
    EXPECT_EQ(flagsHeight({}), 0);
}

TEST(DrawnFlags, AreNumbersWithAHairLineDownAndABarAlongARange)
{
    FigureSheet sheet({}, "title", "");
    drawFlags(sheet, plot(), placeFlags({flag(7, 100, 300)}, plot()));
    const Figure figure = sheet.take();
    bool hasNumber = false;
    bool hasLine = false;
    bool hasBar = false;
    for (const FigureShape& shape : figure.shapes) {
        if (const auto* text = std::get_if<FigureText>(&shape))
            hasNumber = hasNumber || (text->text == "7" && text->color == 0xffffff);
        if (const auto* line = std::get_if<FigureLine>(&shape))
            hasLine = hasLine || (line->points.back() == FigurePoint{200, 350});
        if (const auto* rect = std::get_if<FigureRect>(&shape))
            hasBar = hasBar || (rect->x == 200 && rect->width == 200 && rect->height < 10);
    }
    EXPECT_TRUE(hasNumber);
    EXPECT_TRUE(hasLine);
    EXPECT_TRUE(hasBar);
}

TEST(DrawnFlagBands, FillTheHeightOfThePlotForRangesAlone)
{
    FigureSheet sheet({}, "title", "");
    drawFlagBands(sheet, plot(), placeFlags({flag(7, 100, 300), flag(8, 400, 400)}, plot()));
    const Figure figure = sheet.take();
    std::vector<FigureRect> bands;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape))
            bands.push_back(*rect);
    ASSERT_EQ(bands.size(), 1U);
    EXPECT_EQ(bands[0].x, 200);
    EXPECT_EQ(bands[0].width, 200);
    EXPECT_EQ(bands[0].height, plot().height());
    EXPECT_LT(bands[0].opacity, 0.5);
}

} // namespace highwater
