#include "core/analysis/stacks/call_tree_builder.h"

#include <algorithm>

#include "core/base/hash.h"

namespace highwater {

namespace {

/// Computes the totals from the self weights. Each node comes after its parent, so a pass from the back adds
/// each total to the parent's when it is complete.
void addTotals(std::vector<CallNode>& nodes)
{
    for (CallNode& node : nodes)
        node.total = node.self;
    for (std::size_t i = nodes.size(); i-- > 1;)
        nodes[nodes[i].parent].total += nodes[i].total;
}

/// Orders the nodes breadth first, with sorted children. Returns the new position of each old node.
std::vector<std::uint32_t> sortBreadthFirst(CallTree& tree)
{
    const std::vector<CallNode>& nodes = tree.nodes;
    std::vector<std::uint32_t> first(nodes.size() + 1, 0);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        first[i + 1] = first[i] + nodes[i].childCount;
    std::vector<std::uint32_t> childrenOf(nodes.size()); // children of node i begin at `first[i]`
    std::vector<std::uint32_t> nextFree(first.begin(), first.end() - 1);
    for (std::uint32_t i = 1; i < nodes.size(); ++i)
        childrenOf[nextFree[nodes[i].parent]++] = i;
    const auto comesFirst = [&](std::uint32_t a, std::uint32_t b) {
        if (nodes[a].total.bytes != nodes[b].total.bytes)
            return nodes[a].total.bytes > nodes[b].total.bytes;
        const CallFunction& left = tree.functionOf(nodes[a]);
        const CallFunction& right = tree.functionOf(nodes[b]);
        const std::string leftLabel = left.label();
        const std::string rightLabel = right.label();
        return leftLabel != rightLabel ? leftLabel < rightLabel : left.file < right.file;
    };
    std::vector<CallNode> ordered{nodes[CallTree::kRoot]};
    std::vector<std::uint32_t> oldIndex{CallTree::kRoot};
    std::vector<std::uint32_t> newIndex(nodes.size(), 0);
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        const auto begin = childrenOf.begin() + first[oldIndex[i]];
        std::sort(begin, begin + ordered[i].childCount, comesFirst);
        ordered[i].firstChild = static_cast<std::uint32_t>(ordered.size());
        for (auto child = begin; child != begin + nodes[oldIndex[i]].childCount; ++child) {
            newIndex[*child] = static_cast<std::uint32_t>(ordered.size());
            ordered.push_back(nodes[*child]);
            ordered.back().parent = static_cast<std::uint32_t>(i);
            oldIndex.push_back(*child);
        }
    }
    tree.nodes = std::move(ordered);
    return newIndex;
}

CallWeight weightOf(const AllocationTable& allocations, AllocationIndex i)
{
    const Bytes bytes = allocations.bytes(i);
    return {bytes, 1, bytes * lifetimeInTrace(allocations, i)};
}

/// Adds the path to the tree and returns the node where it ends.
std::uint32_t addPath(CallTreeBuilder& tree, CallPaths& paths, CallPaths::Path path, CallDirection direction)
{
    if (direction == CallDirection::BottomUp)
        std::ranges::reverse(path.functions);
    std::uint32_t node = CallTree::kRoot;
    if (path.isOfFree)
        node = tree.child(node, paths.intern(FunctionKind::Named, std::string(CallPaths::kFreedBySection)));
    for (const FunctionId function : path.functions)
        node = tree.child(node, function);
    return node;
}

} // namespace

CallTreeBuilder::CallTreeBuilder()
{
    m_ids.internNode(FunctionId::kNone, FunctionId::kNone); // the root
    m_nodes.push_back({});
}

std::uint32_t CallTreeBuilder::child(std::uint32_t parent, FunctionId function)
{
    const std::uint32_t node = m_ids.internNode(function.value(), parent);
    if (node == m_nodes.size()) {
        m_nodes.push_back({function, parent, 0, 0, {}, {}});
        ++m_nodes[parent].childCount;
    }
    return node;
}

std::vector<std::uint32_t> CallTreeBuilder::finish(CallTree& tree)
{
    tree.nodes = std::move(m_nodes);
    addTotals(tree.nodes);
    return sortBreadthFirst(tree);
}

CallTree callTree(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    const LiveSet& set, CallDirection direction, FrameDetail detail, FrameLines lines)
{
    CallPaths paths(trace, allocations, sites, detail, lines);
    CallTreeBuilder builder;
    NumberMap<std::uint64_t, std::uint32_t> endOfKey;
    CallTree tree;
    tree.direction = direction;
    tree.endOf.reserve(set.allocations.size());
    for (const AllocationIndex i : set.allocations) {
        const std::uint64_t key = paths.keyOf(i);
        auto end = endOfKey.find(key);
        if (end == endOfKey.end())
            end = endOfKey.emplace(key, addPath(builder, paths, paths.pathOf(i), direction)).first;
        builder.self(end->second) += weightOf(allocations, i);
        tree.endOf.push_back(end->second);
    }
    tree.functions = paths.functions();
    const std::vector<std::uint32_t> newIndex = builder.finish(tree);
    for (std::uint32_t& end : tree.endOf)
        end = newIndex[end];
    return tree;
}

} // namespace highwater
