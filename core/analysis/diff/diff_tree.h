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
    std::vector<CallWeight> total; ///< by node: all allocations whose path passes through it
    std::vector<CallWeight> self; ///< by node: all allocations whose path ends there
    std::vector<std::uint32_t> endOf; ///< parallel to DiffInput::live: the node where the path ends
};

/// The calls that allocated the live memory of two runs, as one tree. On either side, total = self + Σ
/// children's totals holds exactly in every node, and the root's totals are those of the two runs. Exchanging
/// the runs exchanges the sides and changes nothing else.
struct DiffTree
{
    DiffTreeOptions options;
    Quantity quantity = Quantity::Requested; ///< quantity of both runs
    /// The functions have the names of the run after, if it has them. The weights suit a plot that shows both
    /// added and removed memory: `self` is the larger of the two sides' values, and `total` is the sum of
    /// these below the node, so that widths add up. `endOf` is empty; each side has its own.
    CallTree tree;
    DiffTreeSide before; ///< parallel to tree.nodes
    DiffTreeSide after;
    Bytes largestDelta = 0; ///< largest absolute difference of any function except the root

    Bytes delta(std::uint32_t node) const { return after.total[node].bytes - before.total[node].bytes; }
    DiffStatus status(std::uint32_t node) const;
    /// Returns the node's absolute difference as a share of the largest one of all functions, 0 to 1.
    double shareOfChange(std::uint32_t node) const;
};

/// Builds the common tree. `classes`, which must belong to the same traces, decides which functions are the
/// same. Folded frames and placeholders without frames are the same if they have the same name, and C++
/// functions are matched by name only. Both tables must have the same quantity. O(live + distinct stacks ×
/// their frames).
DiffTree diffTree(const DiffInput& before, const DiffInput& after, const StackClasses& classes,
    const DiffTreeOptions& options);

} // namespace highwater
