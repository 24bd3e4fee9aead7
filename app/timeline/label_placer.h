#pragma once

#include <vector>

#include <QRectF>
#include <QSizeF>

namespace highwater::gui {

/// Places the labels of one picture inside the area without overlaps.
class LabelPlacer
{
public:
    explicit LabelPlacer(const QRectF& area);

    /// Next to a vertical line at `x`: on its right if it fits there, else on its left; from `top` downwards,
    /// at most `rows` rows. An empty rectangle if there is no space.
    QRectF besideLine(double x, double top, const QSizeF& size, int rows);
    /// Ends at the right edge of the area, above `y` where that is free, else below, else farther left.
    QRectF atRightEnd(double y, const QSizeF& size);
    /// Labels keep clear of this vertical line.
    void avoidLine(double x);
    /// They keep clear of this place.
    void avoid(const QRectF& rect) { m_taken.push_back(rect); }

private:
    bool isFree(const QRectF& rect) const;
    QRectF take(const QRectF& rect);

    QRectF m_area;
    std::vector<QRectF> m_taken;
};

} // namespace highwater::gui
