#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/steps/phases.h"
#include "core/figure/drawing/figure.h"
#include "core/run/category_rules.h"

namespace highwater {

/// Colours of window, report and figures. Figures are made in the light ones; `darkened` (svg_theme.h) gives
/// each of them its dark counterpart.
struct FigurePalette
{
    FigureColor background;
    FigureColor window; ///< around panels
    FigureColor control;
    FigureColor hover;
    FigureColor border;
    FigureColor grid;
    FigureColor text;
    FigureColor quietText; ///< also the run after
    FigureColor disabled;
    FigureColor accent;
    FigureColor selected; ///< background of what is selected
    FigureColor danger; ///< out of memory, and what does not fit
    FigureColor dangerFill; ///< background of an error
    FigureColor reserved; ///< between what is live and what the allocator reserved
    FigureColor reservedEdge; ///< also the run before
    FigureColor less; ///< of a difference
    FigureColor more;
    FigureColor lessFill; ///< an area behind curves
    FigureColor moreFill;
    bool dark;

    static FigurePalette light();
    static FigurePalette darkColors();
    static FigurePalette of(bool dark) { return dark ? darkColors() : light(); }
};

/// A colour on light and on dark background.
struct ThemedColor
{
    FigureColor light;
    FigureColor dark;
};

/// Distinguishable by colour-blind readers, as are the colours of groups.
ThemedColor themedCategoryColor(Category category);
inline FigureColor categoryColor(Category category)
{
    return themedCategoryColor(category).light;
}

/// Of the call sites of one category: near its colour and yet apart. Repeated from the eleventh on.
inline constexpr std::size_t kSiteSteps = 10;
/// `step` 0 is the base itself; hues of activations, which are most of a picture, differ more than others.
ThemedColor siteColor(ThemedColor base, std::size_t step, bool activations);
/// What of it is held from earlier steps: darker and stronger.
ThemedColor heldColor(ThemedColor color);
/// Over what is held lie oblique lines in white of this strength, one pixel every so many.
inline constexpr int kHatchPeriod = 7;
constexpr double hatchStrength(bool dark)
{
    return dark ? 0.16 : 0.20;
}
/// How far what is not highlighted is mixed with the background.
constexpr double fadedShare(bool dark)
{
    return dark ? 0.70 : 0.66;
}
/// Of the background in what comes and goes within steps that are too narrow to be drawn one by one.
inline constexpr double kPaleShare = 0.4;
/// Of the background between two bands.
inline constexpr double kSeamShare = 0.38;
/// The ink on a band is the one of these that contrasts more.
inline constexpr FigureColor kDarkInk = 0x14181d;
inline constexpr FigureColor kLightInk = 0xffffff;
/// On fills of a middle lightness, where neither reaches `kReadableContrast`, this does.
inline constexpr FigureColor kBlackInk = 0x000000;
inline constexpr double kReadableContrast = 4.5;
/// Of WCAG 2: 1 to 21.
double contrast(FigureColor a, FigureColor b);
FigureColor inkOn(FigureColor background);
/// `share` of the second, 0 to 1.
FigureColor mixed(FigureColor a, FigureColor b, double share);

/// Colours of groups without a meaning of their own: the first ten are distinct, largest first; later ones
/// share paler colours.
inline constexpr std::size_t kDistinctGroups = 10;
ThemedColor themedGroupColor(std::size_t rank);
inline FigureColor groupColor(std::size_t rank)
{
    return themedGroupColor(rank).light;
}
/// All that `themedGroupColor` gives.
inline constexpr std::size_t kGroupColors = kDistinctGroups + 8;

/// For unnamed groups, and the rest of many.
inline constexpr ThemedColor kThemedRestColor{0xa5a5a5, 0x878787};
inline constexpr FigureColor kRestColor = kThemedRestColor.light;

/// Colours of lines, dark enough to be seen when they are thin; repeated from the ninth on.
inline constexpr std::size_t kLineColors = 8;
ThemedColor themedLineColor(std::size_t index);
inline FigureColor lineColor(std::size_t index)
{
    return themedLineColor(index).light;
}

/// Background of a phase's name.
inline constexpr std::size_t kPhaseColors = 8;
ThemedColor themedPhaseColor(Phase phase);

/// Lines that mean the same wherever they are drawn.
enum class LineKind : std::uint8_t
{
    Reserved,
    Capacity,
    OutOfMemory,
    StepBoundary,
    StepStart, ///< bytes at the start of each step
    StepEnd,
    Median,
};
struct LineStyle
{
    FigureColor FigurePalette::*color;
    double width;
    std::vector<double> dash; ///< lengths of dashes and gaps in turn; empty: a solid line
};
const LineStyle& lineStyle(LineKind kind);
/// In the colours of the light palette.
FigureLine styledLine(LineKind kind, std::vector<FigurePoint> points);

} // namespace highwater
