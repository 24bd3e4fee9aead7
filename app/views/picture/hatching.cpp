#include "app/views/picture/hatching.h"

#include <QPainter>

namespace highwater::gui {

QBrush hatchBrush(Ground ground)
{
    // The lines of a brush cover less of each pixel than those of the timeline's bands.
    constexpr double stronger = 1.5;
    QColor line(Qt::white);
    line.setAlphaF(static_cast<float>(stronger * hatchStrength(ground)));
    return {line, Qt::FDiagPattern};
}

void paintHatching(QPainter& painter, const QRectF& area, Ground ground)
{
    painter.fillRect(area, hatchBrush(ground));
}

QColor paintKept(QPainter& painter, const QRectF& box, double share, const QColor& color, Ground ground)
{
    const QRectF kept(box.left(), box.top(), box.width() * share, box.height());
    const FigureColor plain = color.rgb() & 0xffffff;
    const ThemedColor shade = keptColor({plain, plain});
    const QColor darker = QColor::fromRgb(ground.dark ? shade.dark : shade.light);
    painter.fillRect(kept, darker);
    paintHatching(painter, kept, ground);
    return darker;
}

} // namespace highwater::gui
