#include "app/timeline/label_placer.h"

#include <algorithm>

namespace highwater::gui {

namespace {
constexpr double kGap = 4;
}

LabelPlacer::LabelPlacer(const QRectF& area)
    : m_area(area)
{
}

bool LabelPlacer::isFree(const QRectF& rect) const
{
    return m_area.contains(rect) && std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF& other) {
        return other.intersects(rect);
    });
}

QRectF LabelPlacer::take(const QRectF& rect)
{
    m_taken.push_back(rect);
    return rect;
}

QRectF LabelPlacer::besideLine(double x, double top, const QSizeF& size, int rows)
{
    for (int row = 0; row < rows; ++row) {
        const double y = top + row * (size.height() + 2);
        for (const double left : {x + kGap, x - kGap - size.width()}) {
            const QRectF rect(QPointF(left, y), size);
            if (isFree(rect))
                return take(rect);
        }
    }
    return {};
}

QRectF LabelPlacer::atRightEnd(double y, const QSizeF& size)
{
    constexpr double step = 8;
    for (double left = m_area.right() - kGap - size.width(); left > m_area.left(); left -= step) {
        for (const double top : {y - size.height() - 1, y + 2}) {
            const QRectF rect(QPointF(left, top), size);
            if (isFree(rect))
                return take(rect);
        }
    }
    return {};
}

void LabelPlacer::avoidLine(double x)
{
    m_taken.emplace_back(x - kGap / 2, m_area.top(), kGap, m_area.height());
}

} // namespace highwater::gui
