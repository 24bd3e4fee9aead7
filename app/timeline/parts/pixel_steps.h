#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <QLineF>
#include <QRectF>
#include <QVector>

#include "app/timeline/parts/plot_area.h"
#include "core/base/units.h"

namespace highwater::gui {

/// The strokes of a step line in pixels: horizontal levels and vertical jumps.
struct StepLine
{
    QVector<QLineF> levels;
    QVector<QLineF> jumps;
};

/// Builds a step line from left to right, in pixels. Steps inside one pixel become one vertical stroke over
/// the rows that they cover, so that painting costs O(pixels) for any number of steps. End with `endAt`.
class PixelSteps
{
public:
    PixelSteps(double x, double y)
        : m_x(x)
        , m_y(y)
    {
    }

    void stepTo(double x, double y)
    {
        if (x >= m_x + 1)
            closePixel(x);
        m_y = y;
        m_highest = std::min(m_highest, y);
        m_lowest = std::max(m_lowest, y);
    }
    StepLine endAt(double x)
    {
        closePixel(x);
        return m_line;
    }

private:
    void closePixel(double next)
    {
        if (m_lowest > m_highest)
            m_line.jumps << QLineF(m_x, m_highest, m_x, m_lowest);
        m_line.levels << QLineF(m_x, m_y, next, m_y);
        m_x = next;
        m_highest = m_lowest = m_y;
    }

    double m_x;
    double m_y;
    double m_highest = m_y;
    double m_lowest = m_y;
    StepLine m_line;
};

/// Builds the line through the totals of columns; `pixels` is the number of columns per pixel of the area.
/// Adjacent equal columns become one level.
inline StepLine lineOfColumns(const std::vector<Bytes>& totals, const PlotArea& area, double pixels)
{
    StepLine line;
    const auto xOf
        = [&](std::size_t column) { return area.rect.left() + static_cast<double>(column) / pixels; };
    for (std::size_t first = 0; first < totals.size();) {
        std::size_t last = first + 1;
        while (last < totals.size() && totals[last] == totals[first])
            ++last;
        const double y = area.toY(static_cast<double>(totals[first]));
        if (!line.levels.isEmpty())
            line.jumps << QLineF(xOf(first), line.levels.back().y1(), xOf(first), y);
        line.levels << QLineF(xOf(first), y, xOf(last), y);
        first = last;
    }
    return line;
}

/// Returns rectangles that cover the strokes of a line inside `area`, for labels that the line must not
/// cross: one for every eight pixels of width, and a single one for neighbours with the same rows. A label
/// that ends a pixel above a level meets none. O(strokes + width).
std::vector<QRectF> boxesAround(const StepLine& line, const QRectF& area);

} // namespace highwater::gui
