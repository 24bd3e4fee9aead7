#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

ThemeColors ThemeColors::of(bool dark)
{
    const FigurePalette palette = FigurePalette::of(dark);
    const auto color = [](FigureColor rgb) { return QColor::fromRgb(rgb); };
    return {.dark = dark,
        .contrast = false,
        .window = color(palette.window),
        .surface = color(palette.background),
        .button = color(palette.control),
        .hover = color(palette.hover),
        .border = color(palette.border),
        .text = color(palette.text),
        .quietText = color(palette.quietText),
        .disabledText = color(palette.disabled),
        .accent = color(palette.accent),
        .accentSoft = color(palette.selected),
        .danger = color(palette.danger),
        .dangerSoft = color(palette.dangerFill),
        .warning = color(palette.more),
        .warningSoft = dark ? QColor(0x40, 0x34, 0x20) : QColor(0xfd, 0xf1, 0xdf),
        .grid = color(palette.grid),
        .reserved = color(palette.reserved),
        .reservedEdge = color(palette.reservedEdge),
        .less = color(palette.less),
        .more = color(palette.more)};
}

ThemeColors ThemeColors::highContrast(bool dark)
{
    ThemeColors colors = of(dark);
    colors.contrast = true;
    const QColor ground = dark ? Qt::black : Qt::white;
    const QColor ink = dark ? Qt::white : Qt::black;
    for (QColor* color : {&colors.window, &colors.surface, &colors.button})
        *color = ground;
    for (QColor* color : {&colors.text, &colors.quietText, &colors.border})
        *color = ink;
    colors.disabledText = dark ? QColor(0xb0, 0xb0, 0xb0) : QColor(0x55, 0x55, 0x55);
    colors.accent = dark ? QColor(0xff, 0xe0, 0x4a) : QColor(0x00, 0x2b, 0x9e);
    colors.accentSoft = dark ? QColor(0x3a, 0x33, 0x00) : QColor(0xcf, 0xdd, 0xff);
    colors.hover = dark ? QColor(0x2e, 0x2e, 0x2e) : QColor(0xde, 0xde, 0xde);
    colors.danger = dark ? QColor(0xff, 0x8a, 0x80) : QColor(0x9b, 0x00, 0x00);
    colors.warning = dark ? QColor(0xff, 0xc4, 0x6b) : QColor(0x7a, 0x3d, 0x00);
    colors.more = colors.warning;
    colors.reservedEdge = dark ? QColor(0xb0, 0xb0, 0xb0) : QColor(0x55, 0x55, 0x55);
    colors.less = dark ? QColor(0x8a, 0xc6, 0xff) : QColor(0x00, 0x3f, 0x7a);
    return colors;
}

QColor phaseColor(Phase phase, const ThemeColors& colors)
{
    return colors.contrast ? QColor::fromRgb(contrastPhaseColor(phase, colors.dark))
                           : themed(themedPhaseColor(phase), colors.dark);
}

QColor readableLine(const QColor& color, const ThemeColors& colors)
{
    constexpr double enough = 3; // of WCAG 2 for graphics
    constexpr double step = 0.08;
    const FigureColor ground = colors.surface.rgb() & 0xffffff;
    const FigureColor ink = colors.text.rgb() & 0xffffff;
    const bool isHighContrast = colors.quietText == colors.text;
    FigureColor line = color.rgb() & 0xffffff;
    while (contrast(line, ground) < (isHighContrast ? kReadableContrast : enough))
        line = mixed(line, ink, step);
    return QColor::fromRgb(line);
}

QPen linePen(LineKind kind, bool dark)
{
    const LineStyle& style = lineStyle(kind);
    QPen pen(QColor::fromRgb(FigurePalette::of(dark).*style.color), style.width, Qt::SolidLine, Qt::FlatCap);
    QList<qreal> dashes;
    for (const double length : style.dash)
        dashes << length / style.width;
    if (!dashes.isEmpty())
        pen.setDashPattern(dashes);
    return pen;
}

} // namespace highwater::gui
