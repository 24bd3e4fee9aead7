#include "app/timeline/parts/pixel_steps.h"

#include <cmath>
#include <limits>

namespace highwater::gui {

namespace {

constexpr double kBoxWidth = 8;
constexpr double kHalfStroke = 0.9; ///< less than the pixel between a line and the label on it

/// The rows that the strokes of a column cover; empty if `top` is below `bottom`.
struct Rows
{
    double top = std::numeric_limits<double>::max();
    double bottom = std::numeric_limits<double>::lowest();
    bool operator==(const Rows&) const = default;
};

std::vector<Rows> rowsOfColumns(const StepLine& line, const QRectF& area)
{
    std::vector<Rows> columns(static_cast<std::size_t>(std::ceil(std::max(0.0, area.width()) / kBoxWidth)));
    const auto size = static_cast<double>(columns.size());
    for (const QVector<QLineF>& strokes : {line.levels, line.jumps})
        for (const QLineF& stroke : strokes) {
            const double first = std::floor((stroke.x1() - area.left()) / kBoxWidth);
            const double end = std::max(first + 1, std::ceil((stroke.x2() - area.left()) / kBoxWidth));
            for (double column = std::max(first, 0.0); column < std::min(end, size); ++column) {
                Rows& rows = columns[static_cast<std::size_t>(column)];
                rows.top = std::min({rows.top, stroke.y1(), stroke.y2()});
                rows.bottom = std::max({rows.bottom, stroke.y1(), stroke.y2()});
            }
        }
    return columns;
}

} // namespace

std::vector<QRectF> boxesAround(const StepLine& line, const QRectF& area)
{
    const std::vector<Rows> columns = rowsOfColumns(line, area);
    std::vector<QRectF> boxes;
    for (std::size_t first = 0; first < columns.size();) {
        const auto& [top, bottom] = columns[first];
        std::size_t end = first + 1;
        while (end < columns.size() && columns[end] == columns[first])
            ++end;
        const QRectF box(QPointF(area.left() + static_cast<double>(first) * kBoxWidth, top - kHalfStroke),
            QPointF(area.left() + static_cast<double>(end) * kBoxWidth, bottom + kHalfStroke));
        if (top <= bottom && box.intersects(area))
            boxes.push_back(box.intersected(area));
        first = end;
    }
    return boxes;
}

} // namespace highwater::gui
