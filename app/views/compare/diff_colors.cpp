#include "app/views/compare/diff_colors.h"

#include <algorithm>
#include <cmath>

namespace highwater::gui {

QColor changeColor(double share, const ThemeColors& theme)
{
    const QColor& end = share > 0 ? theme.more : theme.less;
    const double weight = share == 0 ? 0 : std::clamp(std::sqrt(std::abs(share)), 0.12, 1.0);
    const auto mixed = [weight](int grey, int full) { return qRound(grey + (full - grey) * weight); };
    return {mixed(theme.hover.red(), end.red()), mixed(theme.hover.green(), end.green()),
        mixed(theme.hover.blue(), end.blue())};
}

std::vector<QRgb> changeColors(const DiffTree& diff, const ThemeColors& theme)
{
    std::vector<QRgb> colors(diff.tree.nodes.size(), 0);
    for (std::uint32_t i = 1; i < colors.size(); ++i)
        colors[i]
            = changeColor(diff.delta(i) < 0 ? -diff.shareOfChange(i) : diff.shareOfChange(i), theme).rgb();
    return colors;
}

} // namespace highwater::gui
