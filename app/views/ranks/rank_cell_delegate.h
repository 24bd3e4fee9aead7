#pragma once

#include <QPainter>
#include <QStyledItemDelegate>

namespace highwater::gui {

/// Draws one line of text in the colour that the model gives. It bypasses the style, which would take most of
/// a frame while thousands of rows scroll.
class RankCellDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        constexpr int margin = 3;
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        if (isSelected)
            painter->fillRect(option.rect, option.palette.brush(QPalette::Highlight));
        const QVariant color = index.data(Qt::ForegroundRole);
        const QPalette::ColorRole textRole = isSelected ? QPalette::HighlightedText : QPalette::Text;
        painter->setPen(color.isValid() ? color.value<QColor>() : option.palette.color(textRole));
        const QVariant alignment = index.data(Qt::TextAlignmentRole);
        const QRect room = option.rect.adjusted(margin, 0, -margin, 0);
        const QString text
            = option.fontMetrics.elidedText(index.data().toString(), option.textElideMode, room.width());
        painter->setFont(option.font);
        painter->drawText(room,
            static_cast<int>(Qt::TextSingleLine)
                | (alignment.isValid() ? alignment.toInt() : static_cast<int>(Qt::AlignVCenter)),
            text);
    }
};

} // namespace highwater::gui
