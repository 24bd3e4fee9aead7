#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/diff/run_diff.h"
#include "core/analysis/stacks/call_tree.h"

namespace highwater {

/// Which of the call trees of two runs is wanted.
struct DiffTreeOptions
{
    CallDirection direction = CallDirection::TopDown;
    FrameDetail detail = FrameDetail::Python;

    bool operator==(const DiffTreeOptions&) const = default;
};

/// What one run has in the tree of both.
struct DiffTreeSide
{
    std::vector<CallWeight> total; ///< by node: of all allocations whose path runs through it
    std::vector<CallWeight> self; ///< by node: of those whose path ends there
    std::vector<std::uint32_t> endOf; ///< parallel to DiffInput::live: the node where the path ends
};

/// The calls that two runs' live allocations come from, in one tree. On either side total = self + Σ
/// children's totals in every node, exactly, and the root's totals are those of the two runs. With the runs
/// exchanged the tree is the same, with the sides exchanged.
struct DiffTree
{
    DiffTreeOptions options;
    Quantity quantity = Quantity::Requested; ///< of both runs
    /// Functions are named as in the run after, where it has them. Weights are what a picture needs, in which
    /// what came and what went both show: `self` is the larger one of the two sides', `total` the sum of
    /// these below the node, so widths add up. `endOf` is empty: see the sides.
    CallTree tree;
    DiffTreeSide before; ///< parallel to tree.nodes
    DiffTreeSide after;
    Bytes largestDelta = 0; ///< of all functions, the root left aside; never negative

    Bytes delta(std::uint32_t node) const { return after.total[node].bytes - before.total[node].bytes; }
    DiffStatus status(std::uint32_t node) const;
    /// Size of the node's difference against the largest one of all functions, 0 to 1.
    double shareOfChange(std::uint32_t node) const;
};

/// Functions of both runs are the same where `classes` says so (which are of the same traces); what stands
/// for several frames or for none, where it has the same name. C++ functions are the same by name alone. The
/// quantities of both tables must be equal. O(live + distinct stacks × their frames).
DiffTree diffTree(const DiffInput& before, const DiffInput& after, const StackClasses& classes,
    const DiffTreeOptions& options);

} // namespace highwater
