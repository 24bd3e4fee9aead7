#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/steps/phases.h"
#include "core/figure/drawing/figure.h"
#include "core/run/category_rules.h"

namespace highwater {

/// The theme for which colours are chosen.
struct Ground
{
    bool dark = false; ///< True for light colours on a dark background
    bool contrast = false; ///< True for the high-contrast theme

    bool operator==(const Ground&) const = default;
};

/// Colours of window, report and figures. Figures are made in the light colours; `onGround` (svg_theme.h)
/// gives those of another theme.
struct FigurePalette
{
    FigureColor background;
    FigureColor window; ///< Background around panels
    FigureColor control;
    FigureColor hover; ///< Also the empty part of a bar, and data that a search does not match
    FigureColor border;
    FigureColor grid;
    FigureColor text;
    FigureColor quietText; ///< Also the colour of the run after
    FigureColor disabled;
    FigureColor accent;
    FigureColor selected; ///< Background of selected items
    FigureColor danger; ///< Out of memory, or does not fit
    FigureColor dangerFill; ///< Background of an error
    FigureColor reserved; ///< Between live and reserved bytes
    FigureColor reservedEdge; ///< Also the colour of the run before
    FigureColor less; ///< Decreases in a comparison; also the strongest shade of a heat map
    FigureColor more;
    FigureColor lessFill; ///< Between two curves where the run after uses less; also the weakest shade
    FigureColor moreFill;
    bool dark;

    static FigurePalette light();
    static FigurePalette darkColors();
    static FigurePalette of(bool dark) { return dark ? darkColors() : light(); }
    /// In high contrast, texts, marks and edges have a contrast of at least `kStrongContrast` to the
    /// background.
    static FigurePalette of(Ground ground);
};

/// A colour for light and for dark background.
struct ThemedColor
{
    FigureColor light;
    FigureColor dark;
};

/// Returns the colour in a theme. Bands, categories and groups get their colours here in every view, so that
/// one thing has one colour in a theme.
FigureColor colorOn(ThemedColor color, Ground ground);

/// Returns the colour of a category. Colour-blind readers can distinguish the colours of all categories, and
/// those of groups.
ThemedColor themedCategoryColor(Category category);
inline FigureColor categoryColor(Category category)
{
    return themedCategoryColor(category).light;
}

/// Number of colours for the call sites of one category: close to its colour, yet distinct. Repeated from the
/// eleventh site on.
inline constexpr std::size_t kSiteVariantCount = 10;
/// Returns a variant of the base colour for a call site; `variant` 0 is the base itself. Hues of activations,
/// which fill most of a picture, differ more than others.
ThemedColor siteColor(ThemedColor base, std::size_t variant, bool activations);
/// Returns the colour of memory kept from earlier steps: the given colour, darker and more saturated.
ThemedColor keptColor(ThemedColor color);
/// Returns the colour of memory whose category is a guess (grade C of its evidence): the given colour, half
/// as saturated, so that what is certain or likely stands out.
ThemedColor guessedColor(ThemedColor color);
/// The properties that determine the colour of a band that is coloured by its category.
struct BandTone
{
    Category category = Category::Unknown;
    std::size_t siteVariant = 0; ///< See `siteColor`
    bool isGuess = false; ///< The category is a guess
    bool isKept = false; ///< Kept from earlier steps
};
/// Returns the colour of a band, which is the same in every view.
ThemedColor bandColor(const BandTone& tone);
/// Returns a stronger version of a colour for the high-contrast theme, light or dark: more saturated, and
/// with a contrast of at least `kOutlineContrast` to black.
FigureColor contrastColor(FigureColor color, bool dark);
/// Smallest contrast of a band to black in the high-contrast theme.
inline constexpr double kOutlineContrast = 3;
/// Kept memory is hatched with oblique white lines, one in every `kHatchPeriod` pixels.
inline constexpr int kHatchPeriod = 7;
inline constexpr double kHatchWidth = 0.7; ///< Width of a line, in pixels
/// Returns the opacity of the lines.
constexpr double hatchStrength(Ground ground)
{
    return ground.contrast ? 0.28 : ground.dark ? 0.16 : 0.20;
}
/// Returns the share of the background mixed into everything that is not highlighted.
constexpr double fadedShare(bool dark)
{
    return dark ? 0.70 : 0.66;
}
/// Where a column of a timeline stands for several steps, the part above the lowest of their peaks is paler:
/// this share of it is background.
inline constexpr double kPaleShare = 0.4;
/// Share of the background in the seam between two bands.
inline constexpr double kSeamShare = 0.38;
/// The text colours on a band: `inkOn` chooses the one with more contrast.
inline constexpr FigureColor kDarkInk = 0x14181d;
inline constexpr FigureColor kLightInk = 0xffffff;
/// The text colour on fills of medium lightness, where neither ink reaches `kReadableContrast`.
inline constexpr FigureColor kBlackInk = 0x000000;
/// Smallest contrast of texts.
inline constexpr double kReadableContrast = 4.5;
/// Smallest contrast of thin lines.
inline constexpr double kVisibleContrast = 3;
/// Smallest contrast of texts in the high-contrast theme.
inline constexpr double kStrongContrast = 7;
/// Returns the contrast ratio of WCAG 2: 1 to 21.
double contrast(FigureColor a, FigureColor b);
/// Returns the one of `kDarkInk` and `kLightInk` with more contrast to a background, or `kBlackInk` where
/// neither reaches `kReadableContrast`.
FigureColor inkOn(FigureColor background);
/// Mixes two colours; `share` is that of the second, 0 to 1.
FigureColor mixed(FigureColor a, FigureColor b, double share);
/// Number of shades of a heat map, from the least to the most.
inline constexpr int kHeatShades = 25;
/// Returns the colour of a shade, from 0 to `kHeatShades` − 1: the more, the stronger.
FigureColor heatColor(const FigurePalette& palette, int shade);
/// The colours of a label on a band.
struct LabelColors
{
    FigureColor ink = 0;
    FigureColor plate = 0; ///< behind the text: the band's colour, or one near to it if the ink needs that
};
/// Returns the colours of a label in a theme of usual contrast; their contrast is at least
/// `kReadableContrast`. On the dark theme, bands of medium lightness have the light ink, as their darker
/// neighbours do.
LabelColors labelColors(FigureColor band, bool dark);

/// Returns the colours of a label in any theme: `labelColors`, but in a theme of high contrast the contrast
/// is at least `kStrongContrast`.
LabelColors labelColorsOn(FigureColor band, Ground ground);

/// Number of groups with a colour of their own (`themedGroupColor`).
inline constexpr std::size_t kDistinctGroups = 10;
/// Returns the colour of a group without a meaning of its own, such as a step or a module: those of the ten
/// largest are distinct, and none looks like a category; later ones share muted colours. `position` 0 is the
/// largest group.
ThemedColor themedGroupColor(std::size_t position);
inline FigureColor groupColor(std::size_t position)
{
    return themedGroupColor(position).light;
}
/// Number of colours that `themedGroupColor` returns.
inline constexpr std::size_t kGroupColorCount = kDistinctGroups + 8;

/// The colour of unnamed groups, and of the rest of many groups.
inline constexpr ThemedColor kThemedRestColor{0xa5a5a5, 0x878787};
/// Modules that are too small for a colour; their grey is not that of memory outside of modules.
inline constexpr ThemedColor kThemedSmallModuleColor{0x757575, 0xb9b9b9};
inline constexpr FigureColor kRestColor = kThemedRestColor.light;

/// Number of colours of `themedLineColor`, and of `themedSeriesColor`.
inline constexpr std::size_t kLineColorCount = 8;
/// Returns the colour of a line over bands, strong enough to be visible when thin; repeated from the ninth
/// on.
ThemedColor themedLineColor(std::size_t index);

/// Returns the colour of a line on the background, such as a sampled series of a log: the hues of bands, dark
/// enough for a thin line, or light enough on a dark background. Repeated from the ninth on.
ThemedColor themedSeriesColor(std::size_t index);
/// The grey of reserved memory for a line on the background.
inline constexpr ThemedColor kThemedReservedLine{0x8a929c, 0x7d8791};

/// Number of phases.
inline constexpr std::size_t kPhaseColorCount = 8;
/// Returns the background of a phase's name: a grey, since each hue is that of a category.
ThemedColor themedPhaseColor(Phase phase);
/// Returns the background of a phase's name in the high-contrast theme; text on it is black, or white if
/// `dark`.
FigureColor contrastPhaseColor(Phase phase, bool dark);

/// The kinds of lines in figures.
enum class LineKind : std::uint8_t
{
    Reserved,
    Capacity,
    OutOfMemory,
    StepBoundary,
    StepStart, ///< Bytes at the start of each step; the median peak where a bar stands for several steps
    StepEnd,
    Median, ///< Median peak of groups of steps
};
/// How a kind of line is drawn in every figure.
struct LineStyle
{
    FigureColor FigurePalette::*color;
    double width;
    std::vector<double> dash; ///< Alternating lengths of dashes and gaps; empty for a solid line
};
const LineStyle& lineStyle(LineKind kind);
/// Returns a line in the colours of the light palette.
FigureLine styledLine(LineKind kind, std::vector<FigurePoint> points);

} // namespace highwater
