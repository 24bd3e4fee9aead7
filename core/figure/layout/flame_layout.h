#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/stacks/call_tree.h"

namespace highwater {

/// The weight shown as the width of a function in a flame graph.
enum class FlameWeight : std::uint8_t
{
    Size, ///< Bytes
    ByteEvents, ///< Bytes × lifetime
};

/// Returns the bytes, or the bytes × events.
std::int64_t weightOf(const CallWeight& total, FlameWeight weight);

/// How a flame graph shows chains: frames that allocate nothing themselves and make a single call each.
enum class FlameChains : std::uint8_t
{
    Unfolded, ///< One row for each frame
    Folded, ///< One row for a chain of at least `kShortestChain` frames, unless the focus is in it
};
/// Shorter chains save too little height to hide a frame.
inline constexpr std::uint32_t kShortestChain = 3;

/// One box of a flame graph. Row 0 is the root; a child is in the row after its parent's, within its width.
struct FlameBox
{
    double x = 0; ///< Pixels from the left
    double width = 0;
    int row = 0;
    std::uint32_t node = CallTree::kRoot; ///< For merged children, their parent
    std::uint32_t mergedCount = 0; ///< 0 for the node itself, else the number of children too narrow to show
    std::int64_t weight = 0; ///< Total weight of the node or of the merged children
    std::uint32_t frameCount = 1; ///< Frames in the box: `node` and, in a folded chain, those that it calls
    std::uint32_t innermost = node; ///< Last frame of a folded chain; `node` in other boxes

    bool isMerged() const { return mergedCount > 0; }
    bool isFolded() const { return frameCount > 1; }
};

/// Lays out the boxes below `focus`. `focus` and all nodes above it fill the width; the result is empty if
/// the weight of `focus` is 0. Children are sorted largest first from the left. Children narrower than
/// `narrowest` pixels are merged into one box at the right, which is omitted if it is too narrow, too. Boxes
/// are ordered by row, then from the left. O(n × log n) for n children of all boxes.
std::vector<FlameBox> flameLayout(const CallTree& tree, FlameWeight weight, std::uint32_t focus, double width,
    double narrowest = 0.5, FlameChains chains = FlameChains::Unfolded);

/// Returns the frames of a box, outermost first. O(frames).
std::vector<std::uint32_t> framesOf(const CallTree& tree, const FlameBox& box);

} // namespace highwater
