#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/stacks/call_paths.h"
#include "core/analysis/usage/live_sets.h"

namespace highwater {

enum class CallDirection : std::uint8_t
{
    TopDown, ///< the root's children are the outermost functions
    BottomUp, ///< the root's children are the functions that allocate; below each its callers
};

/// Totals of some allocations.
struct CallWeight
{
    Bytes bytes = 0;
    std::int64_t count = 0;
    std::int64_t byteEvents = 0; ///< Σ bytes × lifetime in events within the trace

    CallWeight& operator+=(const CallWeight& other);
    CallWeight& operator-=(const CallWeight& other);
    bool operator==(const CallWeight&) const = default;
};

struct CallNode
{
    FunctionId function; ///< none: the root
    std::uint32_t parent = 0; ///< of the root: itself
    std::uint32_t firstChild = 0; ///< children are contiguous, largest first (ties: by label, by file)
    std::uint32_t childCount = 0;
    CallWeight total; ///< of all allocations whose path runs through it
    CallWeight self; ///< of those whose path ends here
};

/// The calls that made a set of allocations. total = self + Σ children's totals in every node, exactly, and
/// the root's total is that of the set.
struct CallTree
{
    static constexpr std::uint32_t kRoot = 0;

    CallDirection direction = CallDirection::TopDown;
    std::vector<CallNode> nodes; ///< breadth first: a parent precedes its children
    std::vector<CallFunction> functions;
    std::vector<std::uint32_t> endOf; ///< by position in the set: the node where its path ends

    const CallFunction& functionOf(const CallNode& node) const { return functions[node.function.index()]; }
    /// "(all)" for the root.
    std::string label(std::uint32_t node) const;
    /// From the root's child down to the node; empty for the root.
    std::vector<std::uint32_t> pathTo(std::uint32_t node) const;
};

/// Which allocations of the set have a path through any of the nodes in `chosen` (by node); by position in
/// the set. O(nodes + set).
std::vector<bool> membersOf(const CallTree& tree, const std::vector<bool>& chosen);
/// The same for another set whose paths end at these nodes.
std::vector<bool> membersOf(
    const CallTree& tree, const std::vector<bool>& chosen, const std::vector<std::uint32_t>& endOf);

/// Folded stacks as flame graph programs read them (Brendan Gregg's format): one line for each path that
/// allocates, "outer;inner bytes", functions outermost first whatever the tree's direction; a ";" in a name
/// becomes ":". The sum of all lines is the total of the set. Paths of 0 bytes are left out.
std::string foldedStacks(const CallTree& tree);

} // namespace highwater
