#pragma once

#include <vector>

#include <QColor>

#include "core/analysis/diff/diff_tree.h"

namespace highwater::gui {

/// Brown for more and blue for less (distinguishable for colour-blind users), grey for no change. The colour
/// gets stronger as `share` approaches 1 or −1. Small changes are amplified by the square root, so that they
/// differ from no change.
QColor changeColor(double share, bool dark);

/// Colours of a tree's nodes; the root has none.
std::vector<QRgb> changeColors(const DiffTree& diff, bool dark);

} // namespace highwater::gui
