#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

ThemeColors ThemeColors::of(bool dark)
{
    const FigurePalette palette = FigurePalette::of(dark);
    const auto color = [](FigureColor rgb) { return QColor::fromRgb(rgb); };
    return {.dark = dark,
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

QColor onSurface(const QColor& color, bool dark)
{
    return dark ? color.darker(118) : color;
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
