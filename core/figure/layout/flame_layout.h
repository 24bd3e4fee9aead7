#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/stacks/call_tree.h"

namespace highwater {

/// What the width of a function in a flame graph stands for.
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
    std::uint32_t node = CallTree::kRoot; ///< of merged ones: their parent
    std::uint32_t mergedCount = 0; ///< 0: the node itself; else so many children too narrow to show
    std::int64_t weight = 0; ///< of what it shows

    bool isMerged() const { return mergedCount > 0; }
};

/// The boxes of what is below `focus`, which fills the width as all nodes above it do; empty where the weight
/// is 0. Children lie largest first from the left; those narrower than `narrowest` pixels become one box at
/// the right, which has the sum of their weights, or are left out where that is narrower too. Boxes come row
/// by row, from the left. O(boxes × children).
std::vector<FlameBox> flameLayout(
    const CallTree& tree, FlameWeight weight, std::uint32_t focus, double width, double narrowest = 0.5);

} // namespace highwater
