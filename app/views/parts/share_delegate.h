#pragma once

#include <functional>
#include <optional>

#include "app/views/parts/plain_table.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Draws the cells of figure tables: a bar left of the text of a share, in the colour of the row's category
/// if it has one and hatched as far as it is kept, and names that match the search in bold.
class ShareDelegate : public PlaceDelegate
{
    Q_OBJECT

public:
    using PlaceDelegate::PlaceDelegate;

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void setColorOf(std::function<std::optional<ThemedColor>(const QModelIndex& index)> colorOf)
    {
        m_colorOf = std::move(colorOf);
    }
    /// Sets the function that returns the share of a row's bytes that is kept from earlier steps.
    void setKeptOf(std::function<double(const QModelIndex& index)> keptOf) { m_keptOf = std::move(keptOf); }
    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    ThemeColors m_colors = ThemeColors::light();
    std::function<std::optional<ThemedColor>(const QModelIndex& index)> m_colorOf;
    std::function<double(const QModelIndex& index)> m_keptOf;
};

} // namespace highwater::gui
