#pragma once

#include <vector>

#include <QColor>

#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/diff/diff_tree.h"

namespace highwater::gui {

/// Returns brown for more, blue for less (distinguishable for colour-blind users), grey for no change.
/// `share` is the change relative to the largest change, from −1 to 1. The square root of it is used, so that
/// small changes differ from no change.
QColor changeColor(double share, const ThemeColors& theme);

/// Returns the colours of a tree's nodes; 0 for the root.
std::vector<QRgb> changeColors(const DiffTree& diff, const ThemeColors& theme);

} // namespace highwater::gui
