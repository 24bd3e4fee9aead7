#pragma once

#include <QRectF>

namespace highwater::gui {

/// What part of the axes a rectangle of the screen shows. The one mapping that bands, markers, cursor and
/// mouse share.
struct PlotArea
{
    QRectF rect; ///< in the widget's pixels
    double xBegin = 0;
    double xEnd = 1;
    double yBottom = 0;
    double yTop = 1;

    double toX(double key) const { return rect.left() + (key - xBegin) / (xEnd - xBegin) * rect.width(); }
    double toY(double bytes) const;
    double keyAt(double x) const { return xBegin + (x - rect.left()) / rect.width() * (xEnd - xBegin); }
    double bytesAt(double y) const;
    /// Where a rectangle of the axes lies on screen.
    QRectF toScreen(double fromKey, double toKey, double fromBytes, double toBytes) const;
};

/// The larger part of a place beside what lies over it.
QRectF clearPart(QRectF place, const QRectF& covered);

} // namespace highwater::gui
