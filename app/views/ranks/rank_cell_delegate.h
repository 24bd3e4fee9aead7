#pragma once

#include <QAbstractItemView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "app/views/parts/plain_table.h"

namespace highwater::gui {

/// Draws text in the colour that the model gives. It bypasses the style, which would take most of a frame
/// while thousands of rows scroll. It leaves only numbers at the edge of the view to the style, which cuts
/// none.
class RankCellDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QRect seen = static_cast<const QAbstractItemView*>(option.widget)->viewport()->rect();
        const QVariant alignment = index.data(Qt::TextAlignmentRole);
        const int flags = alignment.isValid() ? alignment.toInt() : static_cast<int>(Qt::AlignVCenter);
        if (!seen.contains(option.rect) && (flags & Qt::AlignRight))
            return QStyledItemDelegate::paint(painter, option, index); // the style cuts no number
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        if (isSelected)
            painter->fillRect(option.rect, option.palette.brush(QPalette::Highlight));
        const QVariant color = index.data(Qt::ForegroundRole);
        const QPalette::ColorRole textRole = isSelected ? QPalette::HighlightedText : QPalette::Text;
        painter->setPen(color.isValid() ? color.value<QColor>() : option.palette.color(textRole));
        QRect room = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
        room.setRight(std::min(room.right(), seen.right() - kCellPadding)); // a sentence ends in view
        painter->setFont(option.font);
        painter->drawText(room, flags,
            option.fontMetrics.elidedText(index.data().toString(), option.textElideMode, room.width()));
    }
};

} // namespace highwater::gui
