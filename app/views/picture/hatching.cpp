#include "app/views/picture/hatching.h"

#include <QPainter>

#include "core/figure/drawing/figure_palette.h"

namespace highwater::gui {

QBrush hatchBrush(bool dark)
{
    // The lines of a brush cover less of each pixel than those of the timeline's bands.
    constexpr double stronger = 1.5;
    QColor line(Qt::white);
    line.setAlphaF(static_cast<float>(stronger * hatchStrength(dark)));
    return {line, Qt::FDiagPattern};
}

void paintHatching(QPainter& painter, const QRectF& area, bool dark)
{
    painter.fillRect(area, hatchBrush(dark));
}

QColor paintKept(QPainter& painter, const QRectF& box, double share, const QColor& color, bool dark)
{
    const QRectF kept(box.left(), box.top(), box.width() * share, box.height());
    const FigureColor plain = color.rgb() & 0xffffff;
    const ThemedColor shade = keptColor({plain, plain});
    const QColor darker = QColor::fromRgb(dark ? shade.dark : shade.light);
    painter.fillRect(kept, darker);
    paintHatching(painter, kept, dark);
    return darker;
}

} // namespace highwater::gui
