#pragma once

#include <QStyledItemDelegate>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// A note in two lines: its number in its colour and its title, below them its place.
class NoteDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setColors(const ThemeColors& colors) { m_colors = colors; }

    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
