#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/stacks/call_tree.h"

namespace highwater {

/// The weight that the width of a function in a flame graph represents.
enum class FlameWeight : std::uint8_t
{
    Size, ///< bytes
    ByteEvents, ///< bytes × lifetime
};

std::int64_t weightOf(const CallWeight& total, FlameWeight weight);

/// One box of a flame graph. Row 0 is the root; a child lies on its parent's row + 1, within its width.
struct FlameBox
{
    double x = 0; ///< pixels from the left
    double width = 0;
    int row = 0;
    std::uint32_t node = CallTree::kRoot; ///< for merged children: their parent
    std::uint32_t mergedCount = 0; ///< 0: the node itself; else the number of children too narrow to show
    std::int64_t weight = 0; ///< of what the box shows

    bool isMerged() const { return mergedCount > 0; }
};

/// The boxes below `focus`, which fills the width, as do all nodes above it; empty if the weight is 0.
/// Children are sorted largest first from the left; those narrower than `narrowest` pixels are merged into
/// one box at the right with the sum of their weights, which is left out if it is narrower too. Boxes are
/// ordered by row, then from the left. O(boxes × children).
std::vector<FlameBox> flameLayout(
    const CallTree& tree, FlameWeight weight, std::uint32_t focus, double width, double narrowest = 0.5);

} // namespace highwater
