#include "core/figure/layout/band_label_places.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/text_format.h"

namespace highwater {
namespace {

/// Finds the labels of band 0, whose heights by column start at row 0. Each character is ten columns wide. A
/// column has as many KiB as its number; the key moment has 5 MiB.
std::vector<BandLabelPlace> placesOf(const std::vector<int>& heights, bool stays, int keyColumn = -1)
{
    std::vector<BandSpan> spans;
    for (std::size_t column = 0; column < heights.size(); ++column)
        if (heights[column] > 0)
            spans.push_back({0, static_cast<int>(column), 0, heights[column]});
    const LabelledPicture picture{static_cast<int>(heights.size()), 1,
        [&](const BandSpan&) {
            return BandName{"relu", {}, stays};
        },
        [](std::uint32_t, int column) { return Bytes{1024} * column; }, keyColumn,
        [](std::uint32_t) { return Bytes{5} * 1024 * 1024; }};
    const LabelFont font{
        [](const std::string& text, bool) { return 10.0 * static_cast<double>(text.size()); }, 16};
    return bandLabelPlaces(spans, picture, font);
}

/// Finds the label of a band of 3 MiB kept from earlier steps in a picture of this width, as above.
std::string keptLabelIn(int width)
{
    std::vector<BandSpan> spans;
    for (int column = 0; column < width; ++column)
        spans.push_back({0, column, 0, 50});
    const LabelledPicture picture{width, 1,
        [](const BandSpan&) {
            return BandName{"forward (model.py:39)", "kept", true};
        },
        [](std::uint32_t, int) { return Bytes{3} * 1024 * 1024; }};
    const LabelFont font{
        [](const std::string& text, bool) { return 10.0 * static_cast<double>(text.size()); }, 16};
    const std::vector<BandLabelPlace> labels = bandLabelPlaces(spans, picture, font);
    return labels.empty() ? "" : labels[0].name + "|" + labels[0].size;
}

TEST(BandLabelPlaces, KeptBytesAreNeverShownWithoutSayingSo)
{
    EXPECT_EQ(keptLabelIn(450), "forward (model.py:39)|3 MiB kept");
    EXPECT_EQ(keptLabelIn(300), "model.py:39|3 MiB kept");
    EXPECT_EQ(keptLabelIn(160), "model.py:39|");
}

TEST(BandLabelPlaces, ALabelStaysOffTheSlopeAtTheEndOfItsBand)
{
    std::vector<int> heights(400, 90);
    for (int height = 90; height > 17; height -= 1)
        heights.push_back(height);
    const std::vector<BandLabelPlace> labels = placesOf(heights, true);
    ASSERT_EQ(labels.size(), 1u);
    EXPECT_GE(labels[0].room.height(), 72);
}

TEST(BandLabelPlaces, ALabelIsInTheMiddleOfAPlateau)
{
    const std::vector<BandLabelPlace> labels = placesOf(std::vector<int>(401, 50), false);
    ASSERT_EQ(labels.size(), 1u);
    EXPECT_NEAR(labels[0].room.column + labels[0].columns / 2, 200, 1);
}

TEST(BandLabelPlaces, ALabelDoesNotTouchTheEdgesOfItsBand)
{
    EXPECT_TRUE(placesOf(std::vector<int>(400, 17), true).empty());
    EXPECT_EQ(placesOf(std::vector<int>(400, 18), true).size(), 1u);
}

std::string bytesInTheMiddleOf(const BandLabelPlace& label)
{
    return formatBytes(Bytes{1024} * (label.room.column + label.columns / 2));
}

TEST(BandLabelPlaces, ALabelGivesTheBytesOfItsBandInItsMiddle)
{
    for (const bool stays : {false, true}) {
        const std::vector<BandLabelPlace> labels = placesOf(std::vector<int>(400, 50), stays);
        ASSERT_EQ(labels.size(), 1u);
        EXPECT_EQ(labels[0].size, bytesInTheMiddleOf(labels[0]));
    }
}

TEST(BandLabelPlaces, ALabelGivesTheBytesOfTheKeyMomentIfItIsOverIt)
{
    const std::vector<BandLabelPlace> labels = placesOf(std::vector<int>(400, 50), false, 210);
    ASSERT_EQ(labels.size(), 1u);
    EXPECT_EQ(labels[0].size, "5 MiB");
}

TEST(BandLabelPlaces, ABandThatStaysIsLabelledOverTheKeyMoment)
{
    const std::vector<BandLabelPlace> labels = placesOf(std::vector<int>(800, 50), true, 100);
    ASSERT_EQ(labels.size(), 1u);
    EXPECT_LE(labels[0].room.column, 100);
    EXPECT_EQ(labels[0].size, "5 MiB");
}

TEST(BandLabelPlaces, ABandThatStaysHasItsNameAloneWhereItsBytesWouldContradictTheLegend)
{
    std::vector<int> heights(400, 50);
    std::fill(heights.begin() + 390, heights.end(), 10);
    const std::vector<BandLabelPlace> labels = placesOf(heights, true, 395);
    ASSERT_EQ(labels.size(), 1u);
    EXPECT_EQ(labels[0].name, "relu");
    EXPECT_EQ(labels[0].size, "");
}

TEST(BandLabelPlaces, ABandThatComesAndGoesIsLabelledOverTheKeyMoment)
{
    std::vector<int> heights(800, 50);
    std::fill(heights.begin() + 400, heights.begin() + 500, 90);
    const std::vector<BandLabelPlace> labels = placesOf(heights, false, 100);
    ASSERT_FALSE(labels.empty());
    EXPECT_LE(labels[0].room.column, 100);
    EXPECT_EQ(labels[0].size, "5 MiB");
}

TEST(BandLabelPlaces, ALabelElsewhereOnTheMemoryOfTheKeyMomentDoesNotContradictTheLegend)
{
    const std::vector<BandLabelPlace> labels = placesOf(std::vector<int>(1200, 50), false, 100);
    ASSERT_GT(labels.size(), 1u);
    EXPECT_EQ(labels[1].size, "");
}

TEST(BandLabelPlaces, AnotherHumpThanThatOfTheKeyMomentHasItsOwnBytes)
{
    std::vector<int> heights(1000, 50);
    std::fill(heights.begin() + 400, heights.begin() + 600, 0);
    const std::vector<BandLabelPlace> labels = placesOf(heights, false, 100);
    ASSERT_EQ(labels.size(), 2u);
    EXPECT_EQ(labels[1].size, bytesInTheMiddleOf(labels[1]));
}

TEST(BandLabelPlaces, ASpareLabelDoesNotContradictTheLegend)
{
    const std::vector<BandLabelPlace> labels = placesOf(std::vector<int>(1200, 50), true, 1190);
    ASSERT_EQ(labels.size(), 1u);
    ASSERT_FALSE(labels[0].spares.empty());
    EXPECT_EQ(labels[0].size, "5 MiB");
    EXPECT_EQ(labels[0].spares[0].size, "");
}

/// Returns the bytes in the label of a band that has 1 KiB in all columns and 2 KiB at the key moment.
std::string sizeWithMoment(int keyColumn)
{
    std::vector<BandSpan> spans;
    for (int column = 0; column < 400; ++column)
        spans.push_back({0, column, 0, 50});
    const LabelledPicture picture{400, 1,
        [](const BandSpan&) {
            return BandName{"relu", {}, false};
        },
        [](std::uint32_t, int) { return Bytes{1024}; }, keyColumn, [](std::uint32_t) { return Bytes{2048}; },
        "at a step's peak", "at the peak"};
    const LabelFont font{
        [](const std::string& text, bool) { return 10.0 * static_cast<double>(text.size()); }, 16};
    const std::vector<BandLabelPlace> labels = bandLabelPlaces(spans, picture, font);
    return labels.empty() ? "" : labels[0].size;
}

TEST(BandLabelPlaces, ALabelSaysWhenItsBytesAreInUseWhereThereIsRoom)
{
    EXPECT_EQ(sizeWithMoment(-1), "1 KiB at a step's peak");
}

TEST(BandLabelPlaces, ALabelOverTheKeyMomentNamesThatMoment)
{
    EXPECT_EQ(sizeWithMoment(200), "2 KiB at the peak");
}

} // namespace
} // namespace highwater
