#include "core/figure/drawing/svg_theme.h"

#include <map>

#include <fmt/format.h>

#include "core/figure/drawing/figure_palette.h"

namespace highwater {

namespace {

struct NamedColor
{
    std::string name; ///< Empty for a colour without a variable
    FigureColor dark;
};
using NamedColors = std::map<FigureColor, NamedColor>; ///< By light colour

void addPalette(NamedColors& colors)
{
    static constexpr std::pair<const char*, FigureColor FigurePalette::*> kMembers[]
        = {{"background", &FigurePalette::background}, {"text", &FigurePalette::text},
            {"quiet", &FigurePalette::quietText}, {"grid", &FigurePalette::grid},
            {"border", &FigurePalette::border}, {"accent", &FigurePalette::accent},
            {"danger", &FigurePalette::danger}, {"danger-fill", &FigurePalette::dangerFill},
            {"control", &FigurePalette::control}, {"reserved", &FigurePalette::reserved},
            {"reserved-edge", &FigurePalette::reservedEdge}, {"less", &FigurePalette::less},
            {"more", &FigurePalette::more}, {"less-fill", &FigurePalette::lessFill},
            {"more-fill", &FigurePalette::moreFill}};
    const FigurePalette light = FigurePalette::light();
    const FigurePalette dark = FigurePalette::darkColors();
    for (const auto& [name, member] : kMembers)
        colors.emplace(light.*member, NamedColor{name, dark.*member});
}

/// Adds the colours of call sites without names: there are hundreds, so in a page they do not follow the
/// theme.
void addSiteColors(NamedColors& colors)
{
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        for (std::size_t step = 1; step < kSiteSteps; ++step) {
            const auto category = static_cast<Category>(i);
            const ThemedColor color
                = siteColor(themedCategoryColor(category), step, category == Category::Activation);
            colors.emplace(color.light, NamedColor{{}, color.dark});
            colors.emplace(heldColor(color).light, NamedColor{{}, heldColor(color).dark});
        }
}

NamedColors makeColors()
{
    NamedColors colors;
    const auto add = [&](std::string name, ThemedColor themed) {
        colors.emplace(themed.light, NamedColor{name, themed.dark});
    };
    addPalette(colors);
    for (std::size_t i = 0; i < kPhaseColors; ++i)
        add(std::string(toText(static_cast<Phase>(i))), themedPhaseColor(static_cast<Phase>(i)));
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const auto category = static_cast<Category>(i);
        add(fmt::format("category-{}", toText(category)), themedCategoryColor(category));
        add(fmt::format("held-{}", toText(category)), heldColor(themedCategoryColor(category)));
    }
    for (std::size_t i = 0; i < kGroupColors; ++i)
        add(fmt::format("group-{}", i), themedGroupColor(i));
    for (std::size_t i = 0; i < kLineColors; ++i)
        add(fmt::format("line-{}", i), themedLineColor(i));
    add("rest", kThemedRestColor);
    addSiteColors(colors);
    return colors;
}

const NamedColors& namedColors()
{
    static const NamedColors colors = makeColors();
    return colors;
}

/// Replaces the colours of a figure's shapes, which it visits in order.
struct Darken
{
    bool isOnPlate = false; ///< the last shape was a label's background or a text on it
    FigureColor labelInk = 0; ///< of the texts on that background

    void operator()(FigureRect& rect)
    {
        rect.fill = darkColor(rect.fill);
        isOnPlate = rect.isPlate;
        if (!isOnPlate)
            return;
        const LabelColors label = labelColors(rect.fill, true);
        rect.fill = label.plate;
        labelInk = label.ink;
    }
    void operator()(FigurePolygon& polygon)
    {
        polygon.fill = darkColor(polygon.fill);
        isOnPlate = false;
    }
    void operator()(FigureLine& line)
    {
        line.color = darkColor(line.color);
        isOnPlate = false;
    }
    void operator()(FigureText& text) const
    {
        if (isOnPlate)
            text.color = labelInk;
        else if (text.color != FigurePalette::light().background)
            text.color = darkColor(text.color);
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

Figure darkened(Figure figure)
{
    figure.background = darkColor(figure.background);
    Darken darken;
    for (FigureShape& shape : figure.shapes)
        std::visit(darken, shape);
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
