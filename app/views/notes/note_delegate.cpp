#include "app/views/notes/note_delegate.h"

#include <QApplication>
#include <QPainter>

#include "app/models/note_model.h"
#include "app/workspace/theme/note_badge.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 8;
constexpr int kLineGap = 2;
} // namespace

void NoteDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    const QString title = row.text;
    row.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);

    QFont bold = row.font;
    bold.setBold(true);
    const QString number = QString::number(index.row() + 1);
    const QFontMetrics metrics(bold);
    const QRect room = row.rect.adjusted(kMargin, kMargin / 2, -kMargin, -kMargin / 2);
    const QSizeF badge = badgeSize(QFontMetricsF(bold), number);
    painter->save();
    painter->setFont(row.font);
    paintBadge(
        *painter, QRectF(room.topLeft(), badge), number, index.data(NoteModel::kColorRole).value<QColor>());
    const int left = room.left() + qCeil(badge.width()) + kMargin;
    const QRect first(left, room.top(), room.right() - left, metrics.height());
    painter->setFont(bold);
    painter->setPen(m_colors.text);
    painter->drawText(first, Qt::AlignVCenter, metrics.elidedText(title, Qt::ElideRight, first.width()));
    const QRect second = first.translated(0, metrics.height() + kLineGap);
    painter->setFont(row.font);
    painter->setPen(m_colors.quietText);
    painter->drawText(second, Qt::AlignVCenter,
        QFontMetrics(row.font).elidedText(
            index.data(NoteModel::kPlaceRole).toString(), Qt::ElideRight, second.width()));
    painter->restore();
}

QSize NoteDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {120, 2 * option.fontMetrics.height() + kLineGap + kMargin + 2};
}

} // namespace highwater::gui
