#pragma once

#include <QRectF>

namespace highwater::gui {

/// Maps between a rectangle of the widget and the part of the axes that it shows. The x axis has keys
/// (events, nanoseconds or steps), the y axis has bytes. Bands, markers, cursor and mouse all use this
/// mapping.
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
    /// Maps a rectangle of the axes to the screen.
    QRectF toScreen(double fromKey, double toKey, double fromBytes, double toBytes) const;
};

} // namespace highwater::gui
