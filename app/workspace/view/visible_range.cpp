#include "app/workspace/view/visible_range.h"

#include <algorithm>

namespace highwater::gui {

namespace {

/// A smaller range would show no more detail.
constexpr double kNarrowestBytes = 64;

bool isSameView(const AxisWindow& a, const AxisWindow& b)
{
    return a.begin == b.begin && a.end == b.end;
}

} // namespace

void AxisWindow::set(double newBegin, double newEnd)
{
    const double fullWidth = highest - lowest;
    const double newWidth = std::clamp(newEnd - newBegin, std::min(narrowest, fullWidth), fullWidth);
    if (newWidth >= fullWidth) {
        reset();
        return;
    }
    const double middle = (newBegin + newEnd) / 2;
    const bool isWidthAllowed = newWidth == newEnd - newBegin;
    begin = std::clamp(isWidthAllowed ? newBegin : middle - newWidth / 2, lowest, highest - newWidth);
    end = begin + newWidth;
}

void AxisWindow::zoom(double anchor, double factor)
{
    const double fullWidth = highest - lowest;
    const double newWidth = std::clamp(width() * factor, std::min(narrowest, fullWidth), fullWidth);
    const double placeInView = width() > 0 ? (anchor - begin) / width() : 0.5;
    const double newBegin = anchor - placeInView * newWidth;
    set(newBegin, newBegin + newWidth);
}

void AxisWindow::reset()
{
    begin = lowest;
    end = highest;
}

VisibleRange::VisibleRange(QObject* parent)
    : QObject(parent)
{
}

void VisibleRange::setLimits(double xBegin, double xEnd, double narrowestX, double yTop)
{
    m_x = {xBegin, xEnd, xBegin, xEnd, narrowestX};
    m_y = {0, yTop, 0, yTop, kNarrowestBytes};
    emit changed();
}

void VisibleRange::setX(double begin, double end)
{
    AxisWindow x = m_x;
    x.set(begin, end);
    apply(x, m_y);
}

void VisibleRange::zoomX(double anchor, double factor)
{
    AxisWindow x = m_x;
    x.zoom(anchor, factor);
    apply(x, m_y);
}

void VisibleRange::zoomY(double anchor, double factor)
{
    AxisWindow y = m_y;
    y.zoom(anchor, factor);
    apply(m_x, y);
}

void VisibleRange::pan(double dx, double dy)
{
    AxisWindow x = m_x;
    AxisWindow y = m_y;
    x.set(x.begin + dx, x.end + dx);
    y.set(y.begin + dy, y.end + dy);
    apply(x, y);
}

void VisibleRange::fit()
{
    AxisWindow x = m_x;
    AxisWindow y = m_y;
    x.reset();
    y.reset();
    apply(x, y);
}

void VisibleRange::show(double xBegin, double xEnd, double yBottom, double yTop)
{
    AxisWindow x = m_x;
    AxisWindow y = m_y;
    x.set(xBegin, xEnd);
    y.set(yBottom, yTop);
    apply(x, y);
}

void VisibleRange::apply(const AxisWindow& x, const AxisWindow& y)
{
    if (isSameView(x, m_x) && isSameView(y, m_y))
        return;
    m_x = x;
    m_y = y;
    emit changed();
}

} // namespace highwater::gui
