#include "core/figure/drawing/svg_theme.h"

#include <map>

#include <fmt/format.h>

namespace highwater {

namespace {

struct NamedColor
{
    std::string name; ///< Empty for a colour without a variable
    FigureColor dark;
    bool isData = false; ///< The colour of a category or a group
    FigureColor FigurePalette::*member = nullptr; ///< Its name in the palette; null for colours of data
};
using NamedColors = std::map<FigureColor, NamedColor>; ///< By light colour

void addPalette(NamedColors& colors)
{
    static constexpr std::pair<const char*, FigureColor FigurePalette::*> kMembers[]
        = {{"background", &FigurePalette::background}, {"text", &FigurePalette::text},
            {"quiet", &FigurePalette::quietText}, {"grid", &FigurePalette::grid},
            {"border", &FigurePalette::border}, {"accent", &FigurePalette::accent},
            {"danger", &FigurePalette::danger}, {"danger-fill", &FigurePalette::dangerFill},
            {"hover", &FigurePalette::hover}, {"reserved", &FigurePalette::reserved},
            {"reserved-edge", &FigurePalette::reservedEdge}, {"less", &FigurePalette::less},
            {"more", &FigurePalette::more}, {"less-fill", &FigurePalette::lessFill},
            {"more-fill", &FigurePalette::moreFill}};
    const FigurePalette light = FigurePalette::light();
    const FigurePalette dark = FigurePalette::darkColors();
    for (const auto& [name, member] : kMembers)
        colors.emplace(light.*member, NamedColor{name, dark.*member, false, member});
}

/// Adds the colours of call sites and of guesses without names: there are hundreds, so each figure of a page
/// has the rules for its own.
void addSiteColors(NamedColors& colors)
{
    for (const bool isGuess : {false, true})
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            for (std::size_t variant = 0; variant < kSiteVariantCount; ++variant)
                for (const bool isKept : {false, true}) {
                    const ThemedColor color = bandColor({static_cast<Category>(i), variant, isGuess, isKept});
                    colors.emplace(color.light, NamedColor{{}, color.dark, true});
                }
}

NamedColors makeColors()
{
    NamedColors colors;
    const auto add = [&](std::string name, ThemedColor themed, bool isData = false) {
        colors.emplace(themed.light, NamedColor{name, themed.dark, isData});
    };
    addPalette(colors);
    for (std::size_t i = 0; i < kPhaseColorCount; ++i)
        add(std::string(toText(static_cast<Phase>(i))), themedPhaseColor(static_cast<Phase>(i)));
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const auto category = static_cast<Category>(i);
        add(fmt::format("category-{}", toText(category)), themedCategoryColor(category), true);
        add(fmt::format("held-{}", toText(category)), keptColor(themedCategoryColor(category)), true);
    }
    for (std::size_t i = 0; i < kGroupColorCount; ++i)
        add(fmt::format("group-{}", i), themedGroupColor(i), true);
    for (std::size_t i = 0; i < kLineColorCount; ++i)
        add(fmt::format("line-{}", i), themedLineColor(i));
    for (std::size_t i = 0; i < kLineColorCount; ++i)
        add(fmt::format("series-{}", i), themedSeriesColor(i));
    add("reserved-line", kThemedReservedLine);
    add("rest", kThemedRestColor, true);
    addSiteColors(colors);
    for (int shade = 0; shade < kHeatShades; ++shade)
        add({}, {heatColor(FigurePalette::light(), shade), heatColor(FigurePalette::darkColors(), shade)});
    return colors;
}

const NamedColors& namedColors()
{
    static const NamedColors colors = makeColors();
    return colors;
}

/// Replaces the colours of a figure's shapes, which it visits in order.
struct Recolour
{
    Ground ground;
    FigurePalette palette; ///< of the theme
    bool isOnPlate = false; ///< the last shape was a label's background or a text on it
    FigureColor labelInk = 0; ///< of the texts on that background

    FigureColor on(FigureColor light) const
    {
        const auto found = namedColors().find(light);
        if (found == namedColors().end())
            return light;
        const NamedColor& named = found->second;
        if (named.member)
            return palette.*named.member;
        return colorOn({light, named.dark}, {ground.dark, ground.contrast && named.isData});
    }
    void operator()(FigureRect& rect)
    {
        rect.fill = on(rect.fill);
        isOnPlate = rect.isPlate;
        if (!isOnPlate)
            return;
        const LabelColors label = labelColorsOn(rect.fill, ground);
        rect.fill = label.plate;
        labelInk = label.ink;
    }
    void operator()(FigurePolygon& polygon)
    {
        polygon.fill = on(polygon.fill);
        isOnPlate = false;
    }
    void operator()(FigureLine& line)
    {
        line.color = on(line.color);
        isOnPlate = false;
    }
    void operator()(FigureText& text) const
    {
        if (isOnPlate)
            text.color = labelInk;
        else if (text.color != FigurePalette::light().background)
            text.color = on(text.color);
    }
};

} // namespace

std::string_view themedColorName(FigureColor light)
{
    const auto found = namedColors().find(light);
    return found == namedColors().end() ? std::string_view() : std::string_view(found->second.name);
}

FigureColor darkColor(FigureColor light)
{
    const auto found = namedColors().find(light);
    return found == namedColors().end() ? light : found->second.dark;
}

Figure onGround(Figure figure, Ground ground)
{
    Recolour recolour{.ground = ground, .palette = FigurePalette::of(ground)};
    figure.background = recolour.on(figure.background);
    for (FigureShape& shape : figure.shapes)
        std::visit(recolour, shape);
    return figure;
}

std::string figureColorVariables(bool dark)
{
    std::string css;
    for (const auto& [light, color] : namedColors())
        if (!color.name.empty())
            css += fmt::format("--figure-{}:#{:06x};", color.name, dark ? color.dark : light);
    return css;
}

std::string figureColorRules()
{
    std::string css;
    for (const auto& [light, color] : namedColors())
        if (!color.name.empty())
            css += fmt::format(
                ".f-{0}{{fill:var(--figure-{0})}}.s-{0}{{stroke:var(--figure-{0})}}\n", color.name);
    return css;
}

} // namespace highwater
