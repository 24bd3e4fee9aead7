#pragma once

#include <vector>

#include <QColor>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/stacks/call_tree.h"

namespace highwater::gui {

/// Returns a function's colour, the same in every file. The kind of code (own, library, C++) gives a range of
/// hues, the name a hue in it. Entries that are not functions are nearly grey.
QColor functionColor(const CallFunction& function);

/// Returns the colours of a tree's nodes, for a light background; 0 for the root. A node has the colour of
/// its function or, if the device is coloured by category, of the category with most of its bytes. `set`
/// holds the allocations of the tree. O(allocations + nodes).
std::vector<QRgb> nodeColors(const CallTree& tree, const DeviceAnalysis& analysis, const LiveSet& set);

} // namespace highwater::gui
