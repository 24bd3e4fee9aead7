#include "app/workspace/theme/theme_colors.h"

#include <algorithm>

namespace highwater::gui {

ThemeColors ThemeColors::of(Ground ground)
{
    const FigurePalette palette = FigurePalette::of(ground);
    const auto color = [](FigureColor rgb) { return QColor::fromRgb(rgb); };
    return {.dark = ground.dark,
        .contrast = ground.contrast,
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
        .warningSoft = ground.dark ? QColor(0x40, 0x34, 0x20) : QColor(0xfd, 0xf1, 0xdf),
        .grid = color(palette.grid),
        .reserved = color(palette.reserved),
        .reservedEdge = color(palette.reservedEdge),
        .less = color(palette.less),
        .more = color(palette.more)};
}

QColor phaseColor(Phase phase, const ThemeColors& colors)
{
    return colors.contrast ? QColor::fromRgb(contrastPhaseColor(phase, colors.dark))
                           : themed(themedPhaseColor(phase), colors.dark);
}

QColor readableLine(const QColor& color, const ThemeColors& colors, double least)
{
    constexpr double step = 0.08;
    const FigureColor ground = colors.surface.rgb() & 0xffffff;
    const FigureColor ink = colors.text.rgb() & 0xffffff;
    FigureColor line = color.rgb() & 0xffffff;
    while (contrast(line, ground) < (colors.contrast ? kStrongContrast : least))
        line = mixed(line, ink, step);
    return QColor::fromRgb(line);
}

QColor ThemeColors::textOn(const QColor& fill) const
{
    const FigureColor ground = fill.rgb() & 0xffffff;
    const bool isReadable = highwater::contrast(text.rgb() & 0xffffff, ground) >= kReadableContrast;
    return isReadable ? text : QColor::fromRgb(inkOn(ground));
}

QPen linePen(LineKind kind, Ground ground)
{
    const LineStyle& style = lineStyle(kind);
    const double width = ground.contrast ? std::max(2.0, style.width) : style.width;
    QPen pen(QColor::fromRgb(FigurePalette::of(ground).*style.color), width, Qt::SolidLine, Qt::FlatCap);
    QList<qreal> dashes;
    for (const double length : style.dash)
        dashes << length / width;
    if (!dashes.isEmpty())
        pen.setDashPattern(dashes);
    return pen;
}

} // namespace highwater::gui
