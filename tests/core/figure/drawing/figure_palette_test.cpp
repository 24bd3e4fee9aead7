#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/oklch.h"

namespace highwater {
namespace {

FigureColor shadeOf(ThemedColor color, bool dark)
{
    return dark ? color.dark : color.light;
}

/// Returns the colours of all call sites of a category, of memory that is kept or not.
std::vector<FigureColor> siteColors(Category category, bool isKept, bool dark, bool isGuess = false)
{
    std::vector<FigureColor> colors;
    for (std::size_t step = 0; step < kSiteVariantCount; ++step)
        colors.push_back(shadeOf(bandColor({category, step, isGuess, isKept}), dark));
    return colors;
}

/// Returns every colour that a band can have on a theme.
std::vector<FigureColor> bandColors(bool dark)
{
    std::vector<FigureColor> colors;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        for (const bool isKept : {false, true})
            for (const bool isGuess : {false, true})
                for (const FigureColor color : siteColors(static_cast<Category>(i), isKept, dark, isGuess))
                    colors.push_back(color);
    for (std::size_t rank = 0; rank < kGroupColorCount; ++rank)
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

TEST(FigurePalette, AGuessIsLessSaturatedThanWhatIsCertainAndNoDarker)
{
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        for (const bool isKept : {false, true})
            for (const bool dark : {false, true}) {
                const auto category = static_cast<Category>(i);
                if (isUncategorized(category))
                    continue;
                const Oklch certain = toOklch(shadeOf(bandColor({category, 0, false, isKept}), dark));
                const Oklch guess = toOklch(shadeOf(bandColor({category, 0, true, isKept}), dark));
                EXPECT_LE(guess.chroma, certain.chroma) << toText(category);
                EXPECT_LT(guess.chroma, 0.07) << toText(category);
                EXPECT_GE(guess.lightness, certain.lightness - 0.005) << toText(category);
            }
}

TEST(FigurePalette, OutlinesAndLabelsStandOutInHighContrast)
{
    for (const bool dark : {false, true})
        for (const FigureColor band : bandColors(dark)) {
            const FigureColor strong = contrastColor(band, dark);
            EXPECT_GE(contrast(strong, kBlackInk), kOutlineContrast) << std::hex << band;
            const LabelColors label = labelColors(strong, dark);
            EXPECT_GE(contrast(label.ink, label.plate), kReadableContrast) << std::hex << band;
        }
}

TEST(FigurePalette, LabelsStandOutOnEveryBandInHighContrast)
{
    for (const bool dark : {false, true})
        for (const FigureColor band : bandColors(dark)) {
            const FigureColor strong = contrastColor(band, dark);
            const LabelColors label = labelColorsOn(strong, {dark, true});
            EXPECT_GE(contrast(label.ink, label.plate), kStrongContrast) << std::hex << band;
        }
}

TEST(FigurePalette, TextsAndEdgesStandOutInHighContrast)
{
    for (const bool dark : {false, true}) {
        const FigurePalette palette = FigurePalette::of({dark, true});
        for (const FigureColor ink : {palette.text, palette.quietText, palette.border, palette.disabled,
                 palette.accent, palette.danger, palette.less, palette.more, palette.reservedEdge})
            EXPECT_GE(contrast(ink, palette.background), kStrongContrast) << std::hex << ink;
        EXPECT_GE(contrast(palette.text, palette.reserved), kStrongContrast);
        EXPECT_GE(contrast(palette.danger, palette.dangerFill), kStrongContrast) << dark;
    }
}

TEST(FigurePalette, TheEmptyPartOfABarStandsOutInEveryTheme)
{
    for (const bool isDark : {false, true})
        for (const bool isContrast : {false, true}) {
            const FigurePalette palette = FigurePalette::of({isDark, isContrast});
            EXPECT_GE(contrast(palette.hover, palette.background), 1.2) << isDark << isContrast;
        }
}

/// Returns the distance in OKLab, in which equal differences look equal.
double distance(FigureColor a, FigureColor b)
{
    const Oklch x = toOklch(a);
    const Oklch y = toOklch(b);
    return std::hypot(x.lightness - y.lightness, x.chroma * std::cos(x.hue) - y.chroma * std::cos(y.hue),
        x.chroma * std::sin(x.hue) - y.chroma * std::sin(y.hue));
}

TEST(FigurePalette, NoBandLooksLikeReservedMemoryOrTheGround)
{
    for (const bool dark : {false, true}) {
        const FigurePalette palette = FigurePalette::of(dark);
        for (const FigureColor band : bandColors(dark))
            for (const FigureColor other : {palette.reserved, palette.background})
                EXPECT_GE(distance(band, other), 0.07) << std::hex << band << (dark ? " dark" : " light");
    }
}

TEST(FigurePalette, NoGroupLooksLikeACategoryOrAnotherGroup)
{
    for (const bool dark : {false, true})
        for (std::size_t rank = 0; rank < kDistinctGroups; ++rank) {
            const FigureColor group = shadeOf(themedGroupColor(rank), dark);
            for (std::size_t i = 0; i < kCategoryCount; ++i) {
                const FigureColor category = shadeOf(themedCategoryColor(static_cast<Category>(i)), dark);
                EXPECT_GE(distance(group, category), 0.06) << std::hex << group << ' ' << category;
            }
            for (std::size_t other = 0; other < rank; ++other)
                EXPECT_GE(distance(group, shadeOf(themedGroupColor(other), dark)), 0.08) << rank << other;
        }
}

TEST(FigurePalette, NamesOfPhasesAreReadableInHighContrast)
{
    for (std::size_t i = 0; i < kPhaseColorCount; ++i)
        for (const bool dark : {false, true})
            EXPECT_GE(contrast(contrastPhaseColor(static_cast<Phase>(i), dark), dark ? kLightInk : kBlackInk),
                kReadableContrast);
}

TEST(FigurePalette, PhasesAreGreysThatCanBeToldApart)
{
    for (const bool dark : {false, true})
        for (std::size_t i = 1; i < kPhaseColorCount; ++i) {
            const FigureColor phase = shadeOf(themedPhaseColor(static_cast<Phase>(i)), dark);
            EXPECT_LT(toOklch(phase).chroma, 0.02) << i;
            for (std::size_t other = 1; other < i; ++other)
                EXPECT_GE(distance(phase, shadeOf(themedPhaseColor(static_cast<Phase>(other)), dark)), 0.025)
                    << i << ' ' << other;
        }
}

} // namespace
} // namespace highwater
