#include "core/figure/drawing/figure_palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/figure/drawing/oklch.h"

namespace highwater {

namespace {

struct SiteVariant
{
    double lightness;
    double hueDegrees;
};
constexpr std::array<SiteVariant, kSiteVariantCount> kVariants = {{{0, 0}, {-.020, -16}, {.012, 20},
    {.004, 8}, {-.030, 12}, {.022, -10}, {-.022, 28}, {.030, 4}, {-.036, -8}, {.016, 16}}};

FigureColor siteVariant(FigureColor base, const SiteVariant& variant, bool activations)
{
    Oklch color = toOklch(base);
    color.lightness += variant.lightness * (activations ? 1 : 1.4);
    color.hue += variant.hueDegrees * (activations ? 1 : 0.5) * std::numbers::pi / 180;
    return toColor(color);
}

FigureColor keptShade(FigureColor base)
{
    Oklch color = toOklch(base);
    constexpr double darkest = 0.34; // darker, it would look like reserved memory on the dark theme
    color.lightness = std::max(color.lightness - 0.195, std::min(color.lightness, darkest));
    color.chroma *= 1.3;
    return toColor(color);
}

FigureColor guessedShade(FigureColor base)
{
    Oklch color = toOklch(base);
    color.chroma *= 0.5; // lower or lighter, it would look like reserved memory
    return toColor(color);
}

double luminance(FigureColor color)
{
    const auto linear = [](FigureColor channel) {
        const double value = static_cast<double>(channel & 0xff) / 255;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color >> 16) + 0.7152 * linear(color >> 8) + 0.0722 * linear(color);
}

} // namespace

FigurePalette FigurePalette::light()
{
    return {.background = 0xffffff,
        .window = 0xf6f7f8,
        .control = 0xeceef1,
        .hover = 0xe3e6ea,
        .border = 0xe2e5e9,
        .grid = 0xedeff2,
        .text = 0x1a1e23,
        .quietText = 0x5a636e,
        .disabled = 0x9aa3ad,
        .accent = 0x1f62c6,
        .selected = 0xe6effb,
        .danger = 0xb2381b,
        .dangerFill = 0xfbede8,
        .reserved = 0xeef0f3,
        .reservedEdge = 0xb4bcc6,
        .less = 0x2f6db5,
        .more = 0xa9501a,
        .lessFill = 0xb6cce5,
        .moreFill = 0xe1c2af,
        .dark = false};
}

FigurePalette FigurePalette::darkColors()
{
    return {.background = 0x17191c,
        .window = 0x1e2125,
        .control = 0x2a2e34,
        .hover = 0x343a41,
        .border = 0x2f343a,
        .grid = 0x24282d,
        .text = 0xe6e9ed,
        .quietText = 0xa3abb5,
        .disabled = 0x6b737d,
        .accent = 0x7fb0f5,
        .selected = 0x22344d,
        .danger = 0xf0926f,
        .dangerFill = 0x3a241c,
        .reserved = 0x22262b,
        .reservedEdge = 0x5b646f,
        .less = 0x6fa6e6,
        .more = 0xe39a5b,
        .lessFill = 0x364a63,
        .moreFill = 0x5e4632,
        .dark = true};
}

FigurePalette FigurePalette::of(Ground ground)
{
    FigurePalette palette = of(ground.dark);
    if (!ground.contrast)
        return palette;
    palette.background = palette.window = palette.control = ground.dark ? kBlackInk : kLightInk;
    palette.text = palette.quietText = palette.border = ground.dark ? kLightInk : kBlackInk;
    palette.hover = ground.dark ? 0x2e2e2e : 0xdedede;
    palette.disabled = palette.reservedEdge = ground.dark ? 0xb0b0b0 : 0x555555;
    palette.reserved = ground.dark ? 0x303030 : 0xd8d8d8;
    palette.accent = ground.dark ? 0xffe04a : 0x002b9e;
    palette.selected = ground.dark ? 0x3a3300 : 0xcfddff;
    palette.danger = ground.dark ? 0xff8a80 : 0x9b0000;
    palette.dangerFill = ground.dark ? 0x2c1812 : 0xfbede8;
    palette.less = ground.dark ? 0x8ac6ff : 0x003f7a;
    palette.more = ground.dark ? 0xffc46b : 0x7a3d00;
    return palette;
}

ThemedColor themedCategoryColor(Category category)
{
    static constexpr std::array<ThemedColor, kCategoryCount> kColors
        = {{{0x668cbc, 0x4b6e9a}, {0x95c6dc, 0x79a6bb}, {0xefa59a, 0xcb877e}, {0xaddac6, 0x90b9a6},
            {0xe4d188, 0xc3b16d}, {0xd8bd97, 0xb59c78}, {0xb2b67a, 0x8f935b}, {0xbfaad6, 0x9c87b5},
            {0xb7c0ca, 0x929ba6}, {0xaaa39d, 0x8c857f}}};
    return kColors[static_cast<std::size_t>(category)];
}

ThemedColor siteColor(ThemedColor base, std::size_t variant, bool activations)
{
    const SiteVariant& change = kVariants[variant % kSiteVariantCount];
    return variant % kSiteVariantCount == 0 ? base
                                            : ThemedColor{siteVariant(base.light, change, activations),
                                                siteVariant(base.dark, change, activations)};
}

ThemedColor keptColor(ThemedColor color)
{
    return {keptShade(color.light), keptShade(color.dark)};
}

ThemedColor guessedColor(ThemedColor color)
{
    return {guessedShade(color.light), guessedShade(color.dark)};
}

ThemedColor bandColor(const BandTone& tone)
{
    // Unknown memory is grey already, so that a guess needs no paler colour.
    const bool isMuted = tone.isGuess && !isUncategorized(tone.category);
    const ThemedColor base = siteColor(
        themedCategoryColor(tone.category), tone.siteVariant, tone.category == Category::Activation);
    const ThemedColor color = isMuted ? guessedColor(base) : base;
    return tone.isKept ? keptColor(color) : color;
}

FigureColor colorOn(ThemedColor color, Ground ground)
{
    const FigureColor plain = ground.dark ? color.dark : color.light;
    return ground.contrast ? contrastColor(plain, ground.dark) : plain;
}

FigureColor contrastColor(FigureColor color, bool dark)
{
    constexpr double enough = kOutlineContrast + 0.1; // for the rounding of channels
    constexpr double step = 0.01;
    Oklch strong = toOklch(color);
    strong.chroma *= 1.8;
    strong.lightness += dark ? 0.06 : -0.03;
    FigureColor result = toColor(strong);
    for (; contrast(result, kBlackInk) < enough; result = toColor(strong))
        strong.lightness += step;
    return result;
}

double contrast(FigureColor a, FigureColor b)
{
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

FigureColor inkOn(FigureColor background)
{
    const FigureColor ink
        = contrast(kDarkInk, background) >= contrast(kLightInk, background) ? kDarkInk : kLightInk;
    return contrast(ink, background) >= kReadableContrast ? ink : kBlackInk;
}

LabelColors labelColors(FigureColor band, bool dark)
{
    constexpr double enoughOnDark = 3.5;
    constexpr double step = 0.04;
    const double needed = dark ? enoughOnDark : contrast(kDarkInk, band);
    const bool isLight = contrast(kLightInk, band) >= needed;
    LabelColors colors{isLight ? kLightInk : kDarkInk, band};
    while (contrast(colors.ink, colors.plate) < kReadableContrast)
        colors.plate = mixed(colors.plate, isLight ? kDarkInk : kLightInk, step);
    return colors;
}

LabelColors labelColorsOn(FigureColor band, Ground ground)
{
    if (!ground.contrast)
        return labelColors(band, ground.dark);
    constexpr double step = 0.04;
    const bool isLight = contrast(kLightInk, band) >= contrast(kBlackInk, band);
    LabelColors colors{isLight ? kLightInk : kBlackInk, band};
    while (contrast(colors.ink, colors.plate) < kStrongContrast)
        colors.plate = mixed(colors.plate, isLight ? kBlackInk : kLightInk, step);
    return colors;
}

FigureColor mixed(FigureColor a, FigureColor b, double share)
{
    FigureColor color = 0;
    for (const int shift : {16, 8, 0}) {
        const double first = static_cast<double>(a >> shift & 0xff);
        const double second = static_cast<double>(b >> shift & 0xff);
        color |= static_cast<FigureColor>(std::lround(first + (second - first) * share)) << shift;
    }
    return color;
}

FigureColor heatColor(const FigurePalette& palette, int shade)
{
    return mixed(palette.lessFill, palette.less, static_cast<double>(shade) / (kHeatShades - 1));
}

ThemedColor themedGroupColor(std::size_t position)
{
    static constexpr std::array<ThemedColor, kGroupColorCount> kColors
        = {{{0x84506e, 0x663551}, {0xde8dbb, 0xbd6e9c}, {0x497032, 0x2e5314}, {0x5e58a1, 0x433b82},
            {0x8f893b, 0x726c19}, {0x9175c1, 0x7458a1}, {0xe0995c, 0xbf7a3d}, {0x537994, 0x375d76},
            {0x78aef2, 0x5a8ed1}, {0x419977, 0x1c7b5a}, {0x9db4c8, 0x8095a7}, {0xc5a3a9, 0xa4858b},
            {0x9dba9f, 0x809a82}, {0xc9c19a, 0xa9a17e}, {0xb59ab0, 0x957c91}, {0xa3c6cc, 0x86a6ac},
            {0xcbae98, 0xaa8f7b}, {0xa9a9c4, 0x8b8ba3}}};
    constexpr std::size_t mutedColors = kGroupColorCount - kDistinctGroups;
    return kColors[position < kDistinctGroups ? position
                                              : kDistinctGroups + (position - kDistinctGroups) % mutedColors];
}

ThemedColor themedLineColor(std::size_t index)
{
    static constexpr std::array<ThemedColor, kLineColorCount> kColors
        = {{{0x1f77b4, 0x6baed6}, {0xd62728, 0xff8a80}, {0x2ca02c, 0x8bd48b}, {0x9467bd, 0xc5a3e0},
            {0xb56b00, 0xffb74d}, {0x00838f, 0x4dd0e1}, {0xad1457, 0xf48fb1}, {0x555555, 0xbdbdbd}}};
    return kColors[index % kColors.size()];
}

ThemedColor themedSeriesColor(std::size_t index)
{
    static constexpr std::array<ThemedColor, kLineColorCount> kColors
        = {{{0x4a76ad, 0x7ea6da}, {0x4c8f76, 0x90c2ab}, {0xb4594f, 0xe39a8f}, {0x94791a, 0xd6c27a},
            {0x97618a, 0xc290b4}, {0x2f8b9a, 0x6cc0cd}, {0xbd6c50, 0xd99a80}, {0x706761, 0xb5ada6}}};
    return kColors[index % kColors.size()];
}

ThemedColor themedPhaseColor(Phase phase)
{
    static constexpr std::array<ThemedColor, kPhaseColorCount> kColors
        = {{{0xdde1e6, 0x3a4048}, {0xe3e7ec, 0x303337}, {0xbdc1c6, 0x4a4d51}, {0x95999d, 0x5f6266},
            {0xacb0b5, 0x54575b}, {0xccd0d5, 0x414448}, {0xd7dbe0, 0x383b3f}, {0xeef2f7, 0x272a2e}}};
    return kColors[static_cast<std::size_t>(phase)];
}

FigureColor contrastPhaseColor(Phase phase, bool dark)
{
    constexpr double step = 0.01;
    const ThemedColor color = themedPhaseColor(phase);
    Oklch strong = toOklch(dark ? color.dark : color.light);
    strong.lightness += dark ? 0.06 : -0.12;
    FigureColor result = toColor(strong);
    for (; contrast(result, dark ? kLightInk : kBlackInk) < kReadableContrast; result = toColor(strong))
        strong.lightness += dark ? -step : step;
    return result;
}

const LineStyle& lineStyle(LineKind kind)
{
    static const std::array<LineStyle, 7> kStyles = {{{&FigurePalette::reservedEdge, 1, {}},
        {&FigurePalette::danger, 1, {1, 3}}, {&FigurePalette::danger, 2, {}},
        {&FigurePalette::reservedEdge, 1, {1, 3}}, {&FigurePalette::quietText, 1.75, {5, 3}},
        {&FigurePalette::text, 1.75, {}}, {&FigurePalette::text, 1, {}}}};
    return kStyles[static_cast<std::size_t>(kind)];
}

FigureLine styledLine(LineKind kind, std::vector<FigurePoint> points)
{
    const LineStyle& style = lineStyle(kind);
    return {.points = std::move(points),
        .color = FigurePalette::light().*style.color,
        .width = style.width,
        .dash = style.dash};
}

} // namespace highwater
