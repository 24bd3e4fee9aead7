#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/stacks/call_tree.h"
#include "core/analysis/usage/live_sets.h"
#include "core/base/pair_numbers.h"

namespace highwater {

/// Builds a call tree path by path. The nodes are in order of discovery until `finish` sorts them.
class CallTreeBuilder
{
public:
    CallTreeBuilder();

    /// Returns the child of a node for a function, created on first use. O(1).
    std::uint32_t child(std::uint32_t parent, FunctionId function);
    /// Returns the weight of the paths that end at a node, for the caller to add to. Valid until the next
    /// call of `child`.
    CallWeight& self(std::uint32_t node) { return m_nodes[node].self; }
    std::size_t size() const { return m_nodes.size(); }

    /// Computes all totals and moves the nodes into `tree`, breadth first and with sorted children. The
    /// functions of `tree` must be set, since the labels decide ties. Returns the new position of each node
    /// and leaves the builder empty. O(nodes × log children).
    std::vector<std::uint32_t> finish(CallTree& tree);

private:
    std::vector<CallNode> m_nodes;
    PairNumbers m_ids; ///< numbers for (function, parent)
};

/// Builds the call tree of a set of allocations. O(set + distinct stacks × their frames).
CallTree callTree(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    const LiveSet& set, CallDirection direction, FrameDetail detail, FrameLines lines = FrameLines::Merged);

} // namespace highwater
