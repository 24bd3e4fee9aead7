#pragma once

#include <vector>

#include <QColor>

#include "core/analysis/diff/diff_tree.h"

namespace highwater::gui {

/// Brown for more, blue for less, which colour-blind users can distinguish, grey for no change; the closer
/// the share of the change is to 1 or −1, the stronger. Small changes are amplified (by the square root), so
/// that they are distinct from none.
QColor changeColor(double share, bool dark);

/// Of a tree's nodes, none for the root.
std::vector<QRgb> changeColors(const DiffTree& diff, bool dark);

} // namespace highwater::gui
