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

/// The calls that allocated the live memory of two runs, as one tree. For each run, total = self + Σ totals
/// of the children holds exactly in every node, and the total of the root is that of the run. Exchanging the
/// runs exchanges `before` and `after`; the paths stay the same, but the names and order of functions and the
/// order of equal siblings may change.
struct DiffTree
{
    DiffTreeOptions options;
    Quantity quantity = Quantity::Requested; ///< quantity of both runs
    /// The nodes of both runs. Functions have their names in the run after, if it has them. Weights suit a
    /// plot that shows both added and removed memory: `self` is the larger value of the two runs, and `total`
    /// is the sum of these in and below the node, so that widths add up. `endOf` is empty, since each side
    /// has its own.
    CallTree tree;
    DiffTreeSide before; ///< by node of `tree`
    DiffTreeSide after;
    Bytes largestDelta = 0; ///< largest absolute difference of any node except the root

    Bytes delta(std::uint32_t node) const { return after.total[node].bytes - before.total[node].bytes; }
    DiffStatus status(std::uint32_t node) const;
    /// Returns the absolute difference of the node as a share of `largestDelta`, 0 to 1.
    double shareOfChange(std::uint32_t node) const;
};

/// Builds the common tree. `classes`, which must belong to the same traces, decides which functions are
/// equal. Folded frames and placeholders without frames are equal if they have the same kind, name and file.
/// C++ functions are matched by name only. Both tables must have the same quantity. O(live + distinct stacks
/// × their frames).
DiffTree diffTree(const DiffInput& before, const DiffInput& after, const StackClasses& classes,
    const DiffTreeOptions& options);

} // namespace highwater
