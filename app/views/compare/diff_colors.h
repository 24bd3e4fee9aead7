#pragma once

#include <vector>

#include <QColor>

#include "core/analysis/diff/diff_tree.h"

namespace highwater::gui {

/// Red for more, blue for less, which colour-blind eyes can tell apart, grey for the same; the stronger, the
/// nearer to 1 or −1 the share of the change is. Small changes are raised (by the square root), so that they
/// differ from none.
QColor changeColor(double share, bool dark);

/// Of a tree's nodes, none for the root.
std::vector<QRgb> changeColors(const DiffTree& diff, bool dark);

} // namespace highwater::gui
