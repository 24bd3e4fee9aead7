#include "app/views/compare/sparkline_delegate.h"

#include <algorithm>

#include <QPainter>

#include "app/models/table_model.h"

namespace highwater::gui {

namespace {

constexpr int kMargin = 4;
constexpr int kWidth = 200;

/// One corner of the outline for each stretch, left to right.
QPolygonF outlineIn(const QRectF& room, const std::vector<Bytes>& outline, double highest)
{
    QPolygonF line;
    const auto count = static_cast<double>(outline.size());
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const double y = room.bottom() - room.height() * static_cast<double>(outline[i]) / highest;
        line << QPointF(room.left() + room.width() * static_cast<double>(i) / count, y)
             << QPointF(room.left() + room.width() * static_cast<double>(i + 1) / count, y);
    }
    return line;
}

} // namespace

void SparklineDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const auto outline = index.data(TableModel::OutlineRole).value<std::vector<Bytes>>();
    const auto highest = static_cast<double>(index.data(TableModel::HighestRole).toLongLong());
    if (outline.empty() || highest <= 0)
        return;
    const QRectF room = QRectF(option.rect).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const QPolygonF line = outlineIn(room, outline, highest);
    QPolygonF area = line;
    area << room.bottomRight() << room.bottomLeft();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QColor fill = m_colors.accent;
    fill.setAlphaF(0.25F);
    painter->setPen(Qt::NoPen);
    painter->setBrush(fill);
    painter->drawPolygon(area);
    painter->setPen(QPen(m_colors.border, 1));
    painter->drawLine(room.bottomLeft(), room.bottomRight());
    painter->setPen(QPen(m_colors.accent, 1.2));
    painter->drawPolyline(line);
    painter->restore();
}

QSize SparklineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return {kWidth, QStyledItemDelegate::sizeHint(option, index).height()};
}

} // namespace highwater::gui
