#pragma once

#include <functional>
#include <vector>

#include <QRectF>
#include <QSizeF>

namespace highwater::gui {

/// Places the labels of one picture in clear air: without overlaps, inside the area, never over the data.
class LabelPlacer
{
public:
    /// The highest pixel that data fills between two places of the x axis; the lowest of the area where there
    /// is none.
    using DataTop = std::function<double(double left, double right)>;

    LabelPlacer(const QRectF& area, DataTop dataTop);

    /// Beside a marker at `x` that ends at `bottom`: on its right if it fits there, else on its left, else
    /// higher up. An empty rectangle if there is no space.
    QRectF besideMarker(double x, double bottom, const QSizeF& size);
    /// Above a level line, as far left as there is room.
    QRectF aboveLine(double y, const QSizeF& size);
    /// Above a level line, as far right as there is room.
    QRectF aboveLineRight(double y, const QSizeF& size);
    /// They keep clear of this place.
    void avoid(const QRectF& rect) { m_taken.push_back(rect); }

private:
    bool isFree(const QRectF& rect) const;
    QRectF take(const QRectF& rect);

    QRectF m_area;
    DataTop m_dataTop;
    std::vector<QRectF> m_taken;
};

} // namespace highwater::gui
