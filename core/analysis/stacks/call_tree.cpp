#include "core/analysis/stacks/call_tree.h"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {

namespace {

/// Replaces the characters that separate names and lines.
std::string foldedName(std::string name)
{
    std::ranges::replace(name, ';', ':');
    std::ranges::replace(name, '\n', ' ');
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

std::vector<std::uint32_t> CallTree::pathTo(std::uint32_t node) const
{
    std::vector<std::uint32_t> path;
    for (; node != kRoot; node = nodes[node].parent)
        path.push_back(node);
    std::ranges::reverse(path);
    return path;
}

std::vector<bool> membersOf(const CallTree& tree, const std::vector<bool>& chosen)
{
    return membersOf(tree, chosen, tree.endOf);
}

std::vector<bool> membersOf(
    const CallTree& tree, const std::vector<bool>& chosen, const std::vector<std::uint32_t>& endOf)
{
    std::vector<bool> below(chosen);
    for (std::size_t i = 1; i < tree.nodes.size(); ++i)
        if (below[tree.nodes[i].parent])
            below[i] = true;
    std::vector<bool> members(endOf.size());
    for (std::size_t i = 0; i < members.size(); ++i)
        members[i] = below[endOf[i]];
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
            // `kFreedBySection` is outermost in both directions.
            const bool hasSection
                = tree.functionOf(tree.nodes[path.front()]).name == CallPaths::kFreedBySection;
            std::reverse(path.begin() + (hasSection ? 1 : 0), path.end());
        }
        for (const std::uint32_t node : path)
            text += (node == path.front() ? "" : ";") + foldedName(tree.label(node));
        text += fmt::format(" {}\n", tree.nodes[i].self.bytes);
    }
    return text;
}

} // namespace highwater
