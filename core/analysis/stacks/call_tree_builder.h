#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/stacks/call_tree.h"
#include "core/analysis/usage/live_sets.h"
#include "core/base/pair_numbers.h"

namespace highwater {

/// A call tree under construction: nodes in the order in which they are found, joined by (parent, function).
class CallTreeBuilder
{
public:
    CallTreeBuilder();

    /// The child of a node that is that function, made where there is none yet. O(1).
    std::uint32_t child(std::uint32_t parent, FunctionId function);
    /// What ends at a node; empty at first.
    CallWeight& self(std::uint32_t node) { return m_nodes[node].self; }
    std::size_t size() const { return m_nodes.size(); }

    /// Sums up from the leaves and puts the nodes into `tree`, whose functions must be there: breadth first,
    /// the children of each sorted. Gives the new place of each node. Leaves the builder empty. O(nodes × log
    /// children).
    std::vector<std::uint32_t> finish(CallTree& tree);

private:
    std::vector<CallNode> m_nodes;
    PairNumbers m_ids; ///< of (parent, function)
};

/// O(set + distinct stacks × their frames).
CallTree callTree(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    const LiveSet& set, CallDirection direction, FrameDetail detail);

} // namespace highwater
