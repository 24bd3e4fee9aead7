#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/diff/run_diff.h"
#include "core/analysis/stacks/call_tree.h"

namespace highwater {

/// Options for the call tree of two runs.
struct DiffTreeOptions
{
    CallDirection direction = CallDirection::TopDown;
    FrameDetail detail = FrameDetail::Python;

    bool operator==(const DiffTreeOptions&) const = default;
};

/// One run's weights in the common tree.
struct DiffTreeSide
{
    std::vector<CallWeight> total; ///< by node: of all allocations whose path runs through it
    std::vector<CallWeight> self; ///< by node: of those whose path ends there
    std::vector<std::uint32_t> endOf; ///< parallel to DiffInput::live: the node where the path ends
};

/// The calls that allocated the live memory of two runs, as one tree. On either side total = self + Σ
/// children's totals in every node, exactly, and the root's totals are those of the two runs. Exchanging the
/// runs exchanges the sides and changes nothing else.
struct DiffTree
{
    DiffTreeOptions options;
    Quantity quantity = Quantity::Requested; ///< of both runs
    /// Functions are named as in the run after, where it has them. Weights suit a picture that shows both
    /// added and removed memory: `self` is the larger one of the two sides', `total` the sum of these below
    /// the node, so widths add up. `endOf` is empty: see the sides.
    CallTree tree;
    DiffTreeSide before; ///< parallel to tree.nodes
    DiffTreeSide after;
    Bytes largestDelta = 0; ///< of all functions except the root; never negative

    Bytes delta(std::uint32_t node) const { return after.total[node].bytes - before.total[node].bytes; }
    DiffStatus status(std::uint32_t node) const;
    /// Absolute difference of the node as a share of the largest one of all functions, 0 to 1.
    double shareOfChange(std::uint32_t node) const;
};

/// Functions of both runs are the same where `classes` says so (which are of the same traces); folded runs
/// and placeholders without frames, if they have the same name. C++ functions are matched by name only. The
/// quantities of both tables must be equal. O(live + distinct stacks × their frames).
DiffTree diffTree(const DiffInput& before, const DiffInput& after, const StackClasses& classes,
    const DiffTreeOptions& options);

} // namespace highwater
