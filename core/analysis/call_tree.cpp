#include "core/analysis/call_tree.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace highwater {

namespace {

/// Nodes in the order in which they are found, joined by (parent, function).
class TreeUnderConstruction
{
public:
    TreeUnderConstruction() { m_nodes.push_back({}); }

    std::uint32_t child(std::uint32_t parent, FunctionId function)
    {
        const std::uint64_t key = std::uint64_t{parent} << 32 | function.value();
        const auto [found, fresh] = m_ids.try_emplace(key, static_cast<std::uint32_t>(m_nodes.size()));
        if (fresh) {
            m_nodes.push_back({function, parent, 0, 0, {}, {}});
            ++m_nodes[parent].childCount;
        }
        return found->second;
    }
    std::vector<CallNode>& nodes() { return m_nodes; }

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

/// A node is made after its parent, so one pass from the back sums everything up.
void sumUp(std::vector<CallNode>& nodes)
{
    for (CallNode& node : nodes)
        node.total = node.self;
    for (std::size_t i = nodes.size(); i-- > 1;)
        nodes[nodes[i].parent].total += nodes[i].total;
}

/// Puts the nodes breadth first with the children of each sorted; gives the new place of each.
std::vector<std::uint32_t> putInOrder(CallTree& tree)
{
    const std::vector<CallNode>& found = tree.nodes;
    std::vector<std::uint32_t> first(found.size() + 1, 0);
    for (std::size_t i = 0; i < found.size(); ++i)
        first[i + 1] = first[i] + found[i].childCount;
    std::vector<std::uint32_t> childrenOf(found.size()); // children of a node stand together, by `first`
    std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
    for (std::uint32_t i = 1; i < found.size(); ++i)
        childrenOf[fill[found[i].parent]++] = i;
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (found[a].total.bytes != found[b].total.bytes)
            return found[a].total.bytes > found[b].total.bytes;
        return tree.functionOf(found[a]).label() < tree.functionOf(found[b]).label();
    };
    std::vector<CallNode> ordered{found[CallTree::kRoot]};
    std::vector<std::uint32_t> was{CallTree::kRoot};
    std::vector<std::uint32_t> place(found.size(), 0);
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        const auto begin = childrenOf.begin() + first[was[i]];
        std::sort(begin, begin + ordered[i].childCount, before);
        ordered[i].firstChild = static_cast<std::uint32_t>(ordered.size());
        for (auto child = begin; child != begin + found[was[i]].childCount; ++child) {
            place[*child] = static_cast<std::uint32_t>(ordered.size());
            ordered.push_back(found[*child]);
            ordered.back().parent = static_cast<std::uint32_t>(i);
            was.push_back(*child);
        }
    }
    tree.nodes = std::move(ordered);
    return place;
}

CallWeight weightOf(const AllocationTable& allocations, AllocationIndex i)
{
    const Bytes bytes = allocations.bytes(i);
    return {bytes, 1, bytes * lifetimeInTrace(allocations, i)};
}

/// Adds the path to the tree and gives the node where it ends.
std::uint32_t addPath(
    TreeUnderConstruction& tree, CallPaths& paths, CallPaths::Path path, CallDirection direction)
{
    if (direction == CallDirection::BottomUp)
        std::reverse(path.functions.begin(), path.functions.end());
    std::uint32_t node = CallTree::kRoot;
    if (path.freedBy)
        node = tree.child(node, paths.intern(FunctionKind::Named, std::string(CallPaths::kFreedBySection)));
    for (const FunctionId function : path.functions)
        node = tree.child(node, function);
    return node;
}

std::string foldedName(std::string name)
{
    std::replace(name.begin(), name.end(), ';', ':');
    std::replace(name.begin(), name.end(), '\n', ' ');
    return name;
}

} // namespace

CallWeight& CallWeight::operator+=(const CallWeight& other)
{
    bytes += other.bytes;
    count += other.count;
    byteEvents += other.byteEvents;
    return *this;
}

CallWeight& CallWeight::operator-=(const CallWeight& other)
{
    bytes -= other.bytes;
    count -= other.count;
    byteEvents -= other.byteEvents;
    return *this;
}

std::string CallTree::label(std::uint32_t node) const
{
    return node == kRoot ? "(all)" : functionOf(nodes[node]).label();
}

int CallTree::depth(std::uint32_t node) const
{
    int depth = 0;
    for (; node != kRoot; node = nodes[node].parent)
        ++depth;
    return depth;
}

std::vector<std::uint32_t> CallTree::pathTo(std::uint32_t node) const
{
    std::vector<std::uint32_t> path;
    for (; node != kRoot; node = nodes[node].parent)
        path.push_back(node);
    std::reverse(path.begin(), path.end());
    return path;
}

CallTree callTree(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    const LiveSet& set, CallDirection direction, FrameDetail detail)
{
    CallPaths paths(trace, allocations, sites, detail);
    TreeUnderConstruction found;
    tsl::robin_map<std::uint64_t, std::uint32_t> endOfKey;
    CallTree tree;
    tree.direction = direction;
    tree.endOf.reserve(set.allocations.size());
    for (const AllocationIndex i : set.allocations) {
        const std::uint64_t key = paths.keyOf(i);
        auto end = endOfKey.find(key);
        if (end == endOfKey.end())
            end = endOfKey.emplace(key, addPath(found, paths, paths.pathOf(i), direction)).first;
        found.nodes()[end->second].self += weightOf(allocations, i);
        tree.endOf.push_back(end->second);
    }
    tree.nodes = std::move(found.nodes());
    tree.functions = paths.functions();
    sumUp(tree.nodes);
    const std::vector<std::uint32_t> place = putInOrder(tree);
    for (std::uint32_t& end : tree.endOf)
        end = place[end];
    return tree;
}

std::vector<bool> membersOf(const CallTree& tree, const std::vector<bool>& chosen)
{
    std::vector<bool> below(chosen);
    for (std::size_t i = 1; i < tree.nodes.size(); ++i)
        if (below[tree.nodes[i].parent])
            below[i] = true;
    std::vector<bool> members(tree.endOf.size());
    for (std::size_t i = 0; i < members.size(); ++i)
        members[i] = below[tree.endOf[i]];
    return members;
}

std::string foldedStacks(const CallTree& tree)
{
    std::string text;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
        if (tree.nodes[i].self.bytes == 0)
            continue;
        std::vector<std::uint32_t> path = tree.pathTo(i);
        if (tree.direction == CallDirection::BottomUp) {
            // The section of what is older stays outermost.
            const bool section = tree.functionOf(tree.nodes[path.front()]).name == CallPaths::kFreedBySection;
            std::reverse(path.begin() + (section ? 1 : 0), path.end());
        }
        for (const std::uint32_t node : path)
            text += (node == path.front() ? "" : ";") + foldedName(tree.label(node));
        text += fmt::format(" {}\n", tree.nodes[i].self.bytes);
    }
    return text;
}

} // namespace highwater
