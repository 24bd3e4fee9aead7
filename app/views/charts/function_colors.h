#pragma once

#include <vector>

#include <QColor>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/stacks/call_tree.h"

namespace highwater::gui {

/// A colour that a function has in every file: a hue of its name, pale for libraries, greyish for C++, grey
/// for what is no function.
QColor functionColor(const CallFunction& function);

/// Colours of a tree's nodes, none for the root: that of the category that holds most of a node's bytes where
/// allocations have categories, else those of their functions.
std::vector<QRgb> nodeColors(const CallTree& tree, const DeviceAnalysis& analysis, const LiveSet& set);

} // namespace highwater::gui
