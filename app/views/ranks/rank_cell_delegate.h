#pragma once

#include <QAbstractItemView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "app/views/parts/plain_table.h"

namespace highwater::gui {

/// Draws text in the colour that the model gives: one line, or two in rows that are high enough. It bypasses
/// the style, which would take most of a frame while thousands of rows scroll.
class RankCellDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (!static_cast<const QAbstractItemView*>(option.widget)->viewport()->rect().contains(option.rect))
            return QStyledItemDelegate::paint(painter, option, index); // the style cuts no number
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        if (isSelected)
            painter->fillRect(option.rect, option.palette.brush(QPalette::Highlight));
        const QVariant color = index.data(Qt::ForegroundRole);
        const QPalette::ColorRole textRole = isSelected ? QPalette::HighlightedText : QPalette::Text;
        painter->setPen(color.isValid() ? color.value<QColor>() : option.palette.color(textRole));
        const QVariant alignment = index.data(Qt::TextAlignmentRole);
        const QRect room = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
        const QString text = index.data().toString();
        const int flags = alignment.isValid() ? alignment.toInt() : static_cast<int>(Qt::AlignVCenter);
        painter->setFont(option.font);
        if (const QString first = firstLine(option, text, room); first.size() < text.size()) {
            const QString second = text.mid(first.size() + 1);
            painter->drawText(room, flags,
                first + QLatin1Char('\n')
                    + option.fontMetrics.elidedText(second, Qt::ElideRight, room.width()));
            return;
        }
        painter->drawText(room, static_cast<int>(Qt::TextSingleLine) | flags,
            option.fontMetrics.elidedText(text, option.textElideMode, room.width()));
    }

private:
    /// Returns the words that fit in the first of two lines, or the whole text if the row has one line or the
    /// text fits.
    static QString firstLine(const QStyleOptionViewItem& option, const QString& text, const QRect& room)
    {
        const QFontMetrics& metrics = option.fontMetrics;
        if (room.height() < 2 * metrics.lineSpacing() || metrics.horizontalAdvance(text) <= room.width())
            return text;
        qsizetype end = text.lastIndexOf(QLatin1Char(' '));
        while (end > 0 && metrics.horizontalAdvance(text.left(end)) > room.width())
            end = text.lastIndexOf(QLatin1Char(' '), end - 1);
        return end > 0 ? text.left(end) : text;
    }
};

} // namespace highwater::gui
