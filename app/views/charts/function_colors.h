#pragma once

#include <vector>

#include <QColor>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/stacks/call_tree.h"

namespace highwater::gui {

/// A function's colour, the same in every file: the hue follows from its name and from whether it is the
/// user's code, a library or C++; nearly grey if it is not a function.
QColor functionColor(const CallFunction& function);

/// Colours of a tree's nodes; the root has none. A node has the colour of the category with most of its bytes
/// if the device is coloured by category, else that of its function.
std::vector<QRgb> nodeColors(const CallTree& tree, const DeviceAnalysis& analysis, const LiveSet& set);

} // namespace highwater::gui
