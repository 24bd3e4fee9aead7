#pragma once

#include <functional>
#include <vector>

#include <QRectF>
#include <QSizeF>

namespace highwater::gui {

/// Places the labels of one frame in free space: inside the area, without overlaps, never over the data. Each
/// placed label blocks its place for the next ones, so place the important labels first.
class LabelPlacer
{
public:
    /// Returns the topmost pixel of the data between two x, or the bottom of the area if there is none.
    using DataTop = std::function<double(double left, double right)>;

    LabelPlacer(const QRectF& area, DataTop dataTop);

    /// Places a label next to a marker whose tip is at (`x`, `bottom`): on the right if there is room, else
    /// on the left, else in the same way higher up, where a label on the left may extend over the marker.
    /// Returns an empty rectangle if there is no room, as the next functions do.
    QRectF besideMarker(double x, double bottom, const QSizeF& size);
    /// Places a label as `besideMarker` does; if there is no room next to the marker, takes the nearest
    /// place in the topmost row.
    QRectF nearMarker(double x, double bottom, const QSizeF& size);
    /// Places a label above a level line, as far left as there is room.
    QRectF aboveLine(double y, const QSizeF& size);
    /// Places a label above a level line, as far right as there is room.
    QRectF aboveLineRight(double y, const QSizeF& size);
    /// Keeps labels off this marker, and the labels of other markers so far from it that none seems to be its
    /// own.
    void avoidMarker(const QRectF& marker);
    /// Keeps labels off this rectangle.
    void avoid(const QRectF& rect) { m_taken.push_back(rect); }

private:
    bool isFree(const QRectF& rect) const;
    bool isNearestTo(double x, double bottom, const QRectF& rect) const;
    QRectF reserve(const QRectF& rect);

    QRectF m_area;
    DataTop m_dataTop;
    std::vector<QRectF> m_taken;
    std::vector<QRectF> m_markers;
};

} // namespace highwater::gui
