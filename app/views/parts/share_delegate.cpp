#include "app/views/parts/share_delegate.h"

#include <algorithm>

#include <QPainter>

#include "app/models/call_tree_model.h"
#include "app/views/picture/hatching.h"

namespace highwater::gui {

namespace {
constexpr int kLeastBar = 64; ///< length of a whole bar in a column that is fitted to its contents
} // namespace

void ShareDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    PlaceDelegate::paint(painter, option, index);
    if (const QVariant data = index.data(ShareRole); data.isValid()) {
        const double share = std::clamp(data.toDouble(), 0.0, 1.0);
        const int figure = option.fontMetrics.horizontalAdvance(QStringLiteral("<0.1%")) + 2 * kCellPadding;
        QRectF bar = QRectF(option.rect).adjusted(kCellPadding, 3, -figure, -3);
        if (m_columnWidth)
            bar.setWidth(std::min<double>(bar.width(), m_columnWidth() - figure - kCellPadding));
        bar.setWidth(bar.width() * share);
        const std::optional<ThemedColor> color = m_colorOf ? m_colorOf(index) : std::nullopt;
        if (bar.width() <= 0)
            return;
        const auto onGround = [ground = m_colors.ground()](
                                  ThemedColor themed) { return QColor::fromRgb(colorOn(themed, ground)); };
        painter->fillRect(bar, color ? onGround(*color) : m_colors.reservedEdge);
        if (const KeptPart kept = color && m_keptOf ? m_keptOf(index) : KeptPart(); kept.share > 0)
            paintKept(*painter, bar, kept.share, onGround(kept.color), m_colors.ground());
    }
}

QSize ShareDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize text = PlaceDelegate::sizeHint(option, index);
    return index.data(ShareRole).isValid() ? text + QSize(kLeastBar, 0) : text;
}

void ShareDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    PlaceDelegate::initStyleOption(option, index);
    if (index.column() == NameColumn && index.data(MatchRole).toBool())
        option->font.setBold(true);
}

} // namespace highwater::gui
