#include "app/views/compare/diff_colors.h"

#include <algorithm>
#include <cmath>

namespace highwater::gui {

namespace {

/// The ends of Paul Tol's diverging "BuRd", on dark ground lighter ones of the same hues.
struct ChangeScale
{
    QColor same;
    QColor more;
    QColor less;
};

ChangeScale scaleOf(bool dark)
{
    return dark ? ChangeScale{QColor(0x50, 0x56, 0x5f), QColor(0xf4, 0x6d, 0x5e), QColor(0x4f, 0xa8, 0xec)}
                : ChangeScale{QColor(0xdc, 0xdf, 0xe4), QColor(0xb2, 0x18, 0x2b), QColor(0x21, 0x66, 0xac)};
}

} // namespace

QColor changeColor(double share, bool dark)
{
    const ChangeScale scale = scaleOf(dark);
    const QColor& end = share > 0 ? scale.more : scale.less;
    const double weight = share == 0 ? 0 : std::clamp(std::sqrt(std::abs(share)), 0.12, 1.0);
    const auto mixed = [weight](int from, int to) { return qRound(from + (to - from) * weight); };
    return {mixed(scale.same.red(), end.red()), mixed(scale.same.green(), end.green()),
        mixed(scale.same.blue(), end.blue())};
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
