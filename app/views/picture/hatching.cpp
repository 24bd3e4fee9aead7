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

void paintKept(QPainter& painter, const QRectF& box, double share, const QColor& darker, Ground ground)
{
    const QRectF kept(box.left(), box.top(), box.width() * share, box.height());
    painter.fillRect(kept, darker);
    paintHatching(painter, kept, ground);
}

} // namespace highwater::gui
