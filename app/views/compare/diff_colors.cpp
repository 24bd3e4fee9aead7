#include "app/views/compare/diff_colors.h"

#include <algorithm>
#include <cmath>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

QColor changeColor(double share, bool dark)
{
    const ThemeColors colors = ThemeColors::of(dark);
    const QColor& end = share > 0 ? colors.more : colors.less;
    const double weight = share == 0 ? 0 : std::clamp(std::sqrt(std::abs(share)), 0.12, 1.0);
    const auto mixed = [weight](int from, int to) { return qRound(from + (to - from) * weight); };
    return {mixed(colors.hover.red(), end.red()), mixed(colors.hover.green(), end.green()),
        mixed(colors.hover.blue(), end.blue())};
}

std::vector<QRgb> changeColors(const DiffTree& diff, bool dark)
{
    std::vector<QRgb> colors(diff.tree.nodes.size(), 0);
    for (std::uint32_t i = 1; i < colors.size(); ++i)
        colors[i]
            = changeColor(diff.delta(i) < 0 ? -diff.shareOfChange(i) : diff.shareOfChange(i), dark).rgb();
    return colors;
}

} // namespace highwater::gui
