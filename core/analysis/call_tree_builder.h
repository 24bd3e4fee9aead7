#pragma once

#include <cstdint>
#include <vector>

#include <tsl/robin_map.h>

#include "core/analysis/call_tree.h"

namespace highwater {

/// A call tree under construction: nodes in the order in which they are found, joined by (parent, function).
class CallTreeBuilder
{
public:
    CallTreeBuilder() { m_nodes.push_back({}); }

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
    struct Mix
    {
        std::size_t operator()(std::uint64_t key) const noexcept
        {
            return (key ^ (key >> 29)) * 0x9E3779B97F4A7C15ull;
        }
    };

    std::vector<CallNode> m_nodes;
    tsl::robin_map<std::uint64_t, std::uint32_t, Mix> m_ids;
};

} // namespace highwater
