#pragma once

#include <QAbstractItemView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "app/views/parts/plain_table.h"

namespace highwater::gui {

/// Draws text in the colour that the model gives, in as many lines as the row has room for. It bypasses the
/// style, which would take most of a frame while thousands of rows scroll.
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
        const QString text = index.data().toString();
        painter->drawText(
            room, flags, wrapped(option, flags & Qt::AlignRight ? alignedDecimals(text) : text, room));
    }

private:
    /// Breaks a text into the lines for which there is room; the last is cut with an ellipsis.
    static QString wrapped(const QStyleOptionViewItem& option, QString rest, const QRect& room)
    {
        const QFontMetrics& metrics = option.fontMetrics;
        QString lines;
        for (int left = room.height() / metrics.lineSpacing();
             left > 1 && metrics.horizontalAdvance(rest) > room.width(); --left) {
            qsizetype end = rest.lastIndexOf(QLatin1Char(' '));
            while (end > 0 && metrics.horizontalAdvance(rest.left(end)) > room.width())
                end = rest.lastIndexOf(QLatin1Char(' '), end - 1);
            if (end <= 0)
                break;
            lines += rest.left(end) + QLatin1Char('\n');
            rest.remove(0, end + 1);
        }
        return lines + metrics.elidedText(rest, option.textElideMode, room.width());
    }
};

} // namespace highwater::gui
