#include "core/figure/drawing/svg_theme.h"

#include <array>

#include <fmt/format.h>

#include "core/figure/drawing/diff_colors.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater {

namespace {

struct ThemedColor
{
    std::string_view name;
    FigureColor light;
    FigureColor dark;
};

constexpr std::size_t kPaletteColors = 7;
constexpr std::size_t kDiffColors = 4;
constexpr std::size_t kPhases = 8;
using ThemedColors = std::array<ThemedColor, kPaletteColors + kDiffColors + kPhases>;

ThemedColors makeColors()
{
    const FigurePalette light = FigurePalette::light();
    const FigurePalette dark = FigurePalette::darkColors();
    const DiffColors lightDiff = DiffColors::of(false);
    const DiffColors darkDiff = DiffColors::of(true);
    ThemedColors colors{{{"background", light.background, dark.background}, {"text", light.text, dark.text},
        {"quiet", light.quietText, dark.quietText}, {"grid", light.grid, dark.grid},
        {"border", light.border, dark.border}, {"accent", light.accent, dark.accent},
        {"danger", light.danger, dark.danger}, {"before", lightDiff.before, darkDiff.before},
        {"after", lightDiff.after, darkDiff.after}, {"more", lightDiff.more, darkDiff.more},
        {"less", lightDiff.less, darkDiff.less}}};
    for (std::size_t i = 0; i < kPhases; ++i) {
        const auto phase = static_cast<Phase>(i);
        colors[kPaletteColors + kDiffColors + i]
            = {toText(phase), phaseColor(phase, false), phaseColor(phase, true)};
    }
    return colors;
}

const ThemedColors& themedColors()
{
    static const ThemedColors colors = makeColors();
    return colors;
}

} // namespace

std::string_view themedColorName(FigureColor light)
{
    for (const ThemedColor& color : themedColors())
        if (color.light == light)
            return color.name;
    return {};
}

FigureColor darkColor(FigureColor light)
{
    for (const ThemedColor& color : themedColors())
        if (color.light == light)
            return color.dark;
    return light;
}

std::string figureColorVariables(bool dark)
{
    std::string css;
    for (const ThemedColor& color : themedColors())
        css += fmt::format("--figure-{}:#{:06x};", color.name, dark ? color.dark : color.light);
    return css;
}

std::string figureColorRules()
{
    std::string css;
    for (const ThemedColor& color : themedColors())
        css += fmt::format(
            ".f-{0}{{fill:var(--figure-{0})}}.s-{0}{{stroke:var(--figure-{0})}}\n", color.name);
    return css;
}

} // namespace highwater
