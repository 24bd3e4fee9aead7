#pragma once

#include "app/views/parts/plain_table.h"

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Draws the cells of figure tables: a bar left of the text of a share, and names that match the search in
/// bold.
class ShareDelegate : public PlaceDelegate
{
    Q_OBJECT

public:
    using PlaceDelegate::PlaceDelegate;

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
