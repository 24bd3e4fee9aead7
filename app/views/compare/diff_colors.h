#pragma once

#include <vector>

#include <QColor>

#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/diff/diff_tree.h"

namespace highwater::gui {

/// Returns the colour of a change: grey for none, else grey mixed with the theme's colour for more (brown) or
/// for less (blue), which colour-blind users can tell apart. `share` is the change relative to the largest
/// change, from −1 to 1. The mixture takes its square root, but at least a little colour, so that small
/// changes differ from no change.
QColor changeColor(double share, const ThemeColors& theme);

/// Returns the colours of a tree's nodes; 0 for the root.
std::vector<QRgb> changeColors(const DiffTree& diff, const ThemeColors& theme);

} // namespace highwater::gui
