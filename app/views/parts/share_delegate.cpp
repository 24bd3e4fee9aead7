#include "app/views/parts/share_delegate.h"

#include <algorithm>

#include <QPainter>

#include "app/models/call_tree_model.h"
#include "app/views/picture/hatching.h"

namespace highwater::gui {

void ShareDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    PlaceDelegate::paint(painter, option, index);
    if (index.column() == ShareColumn) {
        const double share = std::clamp(index.data(ShareRole).toDouble(), 0.0, 1.0);
        const int figure = option.fontMetrics.horizontalAdvance(QStringLiteral("<0.1%")) + 2 * kCellPadding;
        QRectF bar = QRectF(option.rect).adjusted(kCellPadding, 3, -figure, -3);
        if (m_columnWidth)
            bar.setWidth(std::min<double>(bar.width(), m_columnWidth() - figure - kCellPadding));
        bar.setWidth(bar.width() * share);
        const std::optional<ThemedColor> color = m_colorOf ? m_colorOf(index) : std::nullopt;
        if (bar.width() <= 0)
            return;
        const QColor plain
            = color ? QColor::fromRgb(colorOn(*color, m_colors.ground())) : m_colors.reservedEdge;
        painter->fillRect(bar, plain);
        if (const double kept = m_keptShareOf ? m_keptShareOf(index) : 0; color && kept > 0)
            paintKept(*painter, bar, kept, plain, m_colors.ground());
    }
}

void ShareDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    PlaceDelegate::initStyleOption(option, index);
    if (index.column() == NameColumn && index.data(MatchRole).toBool())
        option->font.setBold(true);
}

} // namespace highwater::gui
