#include "app/timeline/label_placer.h"

#include <algorithm>
#include <cmath>

namespace highwater::gui {

namespace {
constexpr double kLabelDistance = 8; ///< between the middle of a marker and its label
constexpr double kSideStep = 8; ///< between two places that are tried in one row
constexpr double kLabelGap = 8; ///< between two labels in one row
constexpr double kRiseStep = 4; ///< between two rows that are tried
constexpr double kMarkerEnd = 5; ///< from the middle of a marker to its right end
constexpr double kAboveMarker = 8; ///< from the tip of a marker to the bottom of a label over it
constexpr double kOtherMarker = 16; ///< least distance to the marker of another label

double gapBetween(const QRectF& a, const QRectF& b)
{
    const double dx = std::max({0.0, a.left() - b.right(), b.left() - a.right()});
    const double dy = std::max({0.0, a.top() - b.bottom(), b.top() - a.bottom()});
    return std::hypot(dx, dy);
}
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

void LabelPlacer::avoidMarker(const QRectF& marker)
{
    m_taken.push_back(marker);
    m_markers.push_back(marker);
}

/// True if every other marker is farther from the rectangle than the one with its tip at (`x`, `bottom`), and
/// farther than `kOtherMarker`. Markers that overlap that one are left out, because no distance separates
/// them.
bool LabelPlacer::isNearestTo(double x, double bottom, const QRectF& rect) const
{
    const double own = gapBetween(rect, {x, bottom, 0, 0});
    return std::ranges::all_of(m_markers, [&](const QRectF& marker) {
        return std::abs(marker.center().x() - x) < marker.width()
            || gapBetween(rect, marker) > std::max(own, kOtherMarker);
    });
}

QRectF LabelPlacer::reserve(const QRectF& rect)
{
    m_taken.push_back(rect.adjusted(-kLabelGap, 0, kLabelGap, 0));
    return rect;
}

QRectF LabelPlacer::besideMarker(double x, double bottom, const QSizeF& size)
{
    for (double top = bottom - size.height(); top > m_area.top() - kRiseStep; top -= kRiseStep) {
        const bool isAbove = top + size.height() <= bottom - kAboveMarker;
        const double end = isAbove ? std::min(x + kMarkerEnd, m_area.right()) : x - kLabelDistance;
        for (const double left : {x + kLabelDistance, end - size.width()}) {
            const QRectF rect(QPointF(left, std::max(top, m_area.top())), size);
            if (isFree(rect) && isNearestTo(x, bottom, rect))
                return reserve(rect);
        }
    }
    return {};
}

QRectF LabelPlacer::nearMarker(double x, double bottom, const QSizeF& size)
{
    if (const QRectF beside = besideMarker(x, bottom, size); !beside.isEmpty())
        return beside;
    for (double away = kLabelDistance; away < m_area.width(); away += kSideStep)
        for (const double left : {x + away, x - away - size.width()}) {
            const QRectF rect(QPointF(left, m_area.top()), size);
            if (isFree(rect) && isNearestTo(x, bottom, rect))
                return reserve(rect);
        }
    return {};
}

QRectF LabelPlacer::aboveLine(double y, const QSizeF& size)
{
    for (double left = m_area.left() + kSideStep; left + size.width() < m_area.right(); left += kSideStep) {
        const QRectF rect(QPointF(left, y - size.height() - 1), size);
        if (isFree(rect))
            return reserve(rect);
    }
    return {};
}

QRectF LabelPlacer::aboveLineRight(double y, const QSizeF& size)
{
    for (double left = m_area.right() - kSideStep - size.width(); left > m_area.left(); left -= kSideStep) {
        const QRectF rect(QPointF(left, y - size.height() - 1), size);
        if (isFree(rect))
            return reserve(rect);
    }
    return {};
}

} // namespace highwater::gui
