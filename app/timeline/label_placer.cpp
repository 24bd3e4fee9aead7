#include "app/timeline/label_placer.h"

#include <algorithm>

namespace highwater::gui {

namespace {
constexpr double kLabelDistance = 8; ///< between the middle of a marker and its label
constexpr double kStep = 8;
constexpr double kLabelGap = 8; ///< between two labels in one row
constexpr double kRiseStep = 4;
} // namespace

LabelPlacer::LabelPlacer(const QRectF& area, DataTop dataTop)
    : m_area(area)
    , m_dataTop(std::move(dataTop))
{
}

bool LabelPlacer::isFree(const QRectF& rect) const
{
    return m_area.contains(rect) && rect.bottom() <= m_dataTop(rect.left(), rect.right())
        && std::ranges::none_of(m_taken, [&](const QRectF& other) { return other.intersects(rect); });
}

QRectF LabelPlacer::reserve(const QRectF& rect)
{
    m_taken.push_back(rect.adjusted(-kLabelGap, 0, kLabelGap, 0));
    return rect;
}

QRectF LabelPlacer::besideMarker(double x, double bottom, const QSizeF& size)
{
    for (double top = bottom - size.height(); top > m_area.top() - kRiseStep; top -= kRiseStep)
        for (const double left : {x + kLabelDistance, x - kLabelDistance - size.width()}) {
            const QRectF rect(QPointF(left, std::max(top, m_area.top())), size);
            if (isFree(rect))
                return reserve(rect);
        }
    return {};
}

QRectF LabelPlacer::nearMarker(double x, double bottom, const QSizeF& size)
{
    if (const QRectF beside = besideMarker(x, bottom, size); !beside.isEmpty())
        return beside;
    for (double away = kLabelDistance; away < m_area.width(); away += kStep)
        for (const double left : {x + away, x - away - size.width()}) {
            const QRectF rect(QPointF(left, m_area.top()), size);
            if (isFree(rect))
                return reserve(rect);
        }
    return {};
}

QRectF LabelPlacer::aboveLine(double y, const QSizeF& size)
{
    for (double left = m_area.left() + kStep; left + size.width() < m_area.right(); left += kStep) {
        const QRectF rect(QPointF(left, y - size.height() - 1), size);
        if (isFree(rect))
            return reserve(rect);
    }
    return {};
}

QRectF LabelPlacer::aboveLineRight(double y, const QSizeF& size)
{
    for (double left = m_area.right() - kStep - size.width(); left > m_area.left(); left -= kStep) {
        const QRectF rect(QPointF(left, y - size.height() - 1), size);
        if (isFree(rect))
            return reserve(rect);
    }
    return {};
}

} // namespace highwater::gui
