#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/figure/drawing/figure_palette.h"

namespace highwater {
namespace {

FigureColor shadeOf(ThemedColor color, bool dark)
{
    return dark ? color.dark : color.light;
}

/// Returns the colours of all call sites of a category, of memory that is kept or not.
std::vector<FigureColor> siteColors(Category category, bool isKept, bool dark)
{
    std::vector<FigureColor> colors;
    for (std::size_t step = 0; step < kSiteSteps; ++step) {
        const ThemedColor color
            = siteColor(themedCategoryColor(category), step, category == Category::Activation);
        colors.push_back(shadeOf(isKept ? heldColor(color) : color, dark));
    }
    return colors;
}

/// Returns every colour that a band can have on a theme.
std::vector<FigureColor> bandColors(bool dark)
{
    std::vector<FigureColor> colors;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        for (const bool isKept : {false, true})
            for (const FigureColor color : siteColors(static_cast<Category>(i), isKept, dark))
                colors.push_back(color);
    for (std::size_t rank = 0; rank < kGroupColors; ++rank)
        colors.push_back(shadeOf(themedGroupColor(rank), dark));
    colors.push_back(shadeOf(kThemedRestColor, dark));
    return colors;
}

TEST(FigurePalette, LabelsAreReadableOnEveryBandOfBothThemes)
{
    for (const bool dark : {false, true})
        for (const FigureColor band : bandColors(dark))
            for (const FigureColor shown :
                {band, mixed(band, FigurePalette::of(dark).background, kPaleShare)}) {
                const LabelColors label = labelColors(shown, dark);
                EXPECT_GE(contrast(label.ink, label.plate), kReadableContrast) << std::hex << shown;
            }
}

TEST(FigurePalette, KeptBandsOfOneCategoryHaveOneInkOnTheDarkTheme)
{
    std::set<FigureColor> inks;
    for (const FigureColor band : siteColors(Category::Activation, true, true))
        inks.insert(labelColors(band, true).ink);
    EXPECT_EQ(inks, std::set<FigureColor>{kLightInk});
}

TEST(FigurePalette, ABandOnWhichAnInkIsReadableIsItsOwnPlate)
{
    EXPECT_EQ(labelColors(0xaddac6, false).plate, 0xaddac6u);
    EXPECT_EQ(labelColors(0x2f5070, true).plate, 0x2f5070u);
}

} // namespace
} // namespace highwater
