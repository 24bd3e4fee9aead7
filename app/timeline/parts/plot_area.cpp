#include "app/timeline/parts/plot_area.h"

namespace highwater::gui {

double PlotArea::toY(double bytes) const
{
    return rect.bottom() - (bytes - yBottom) / (yTop - yBottom) * rect.height();
}

double PlotArea::bytesAt(double y) const
{
    return yBottom + (rect.bottom() - y) / rect.height() * (yTop - yBottom);
}

QRectF PlotArea::toScreen(double fromKey, double toKey, double fromBytes, double toBytes) const
{
    return QRectF(QPointF(toX(fromKey), toY(toBytes)), QPointF(toX(toKey), toY(fromBytes)));
}

} // namespace highwater::gui
