#pragma once

#include <QStyledItemDelegate>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Draws the total of a run over its events in a cell, as filled area under its outline: the numbers of
/// TableModel::OutlineRole against TableModel::HighestRole.
class SparklineDelegate : public QStyledItemDelegate
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
