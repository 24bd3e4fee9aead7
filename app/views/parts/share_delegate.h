#pragma once

#include <functional>
#include <optional>

#include "app/views/parts/plain_table.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Draws the cells of figure tables: a bar left of the text of each share (`ShareRole`), in the colour of the
/// row's category if it has one, the part kept from earlier steps hatched, and names that match the search in
/// bold.
class ShareDelegate : public PlaceDelegate
{
    Q_OBJECT

public:
    using PlaceDelegate::PlaceDelegate;

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    /// Sets the function that returns the colour of a row's bar; nullopt gives the usual one.
    void setColorOf(std::function<std::optional<ThemedColor>(const QModelIndex& index)> colorOf)
    {
        m_colorOf = std::move(colorOf);
    }
    /// The part of a row's bytes that is kept from earlier steps.
    struct KeptPart
    {
        double share = 0; ///< from 0 to 1
        ThemedColor color;
    };
    /// Sets the function that returns the kept part of a row's bar, which only bars with a colour show.
    void setKeptOf(std::function<KeptPart(const QModelIndex& index)> keptOf) { m_keptOf = std::move(keptOf); }
    /// Sets the function that returns the width of a column of shares, from which the length of a full bar
    /// follows; without it, that of the cell counts.
    void setColumnWidth(std::function<int()> columnWidth) { m_columnWidth = std::move(columnWidth); }
    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    ThemeColors m_colors = ThemeColors::light();
    std::function<std::optional<ThemedColor>(const QModelIndex& index)> m_colorOf;
    std::function<KeptPart(const QModelIndex& index)> m_keptOf;
    std::function<int()> m_columnWidth;
};

} // namespace highwater::gui
