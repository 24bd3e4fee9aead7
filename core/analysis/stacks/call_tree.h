#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/stacks/call_paths.h"
#include "core/analysis/usage/live_sets.h"

namespace highwater {

/// The end of the stacks at which the tree begins.
enum class CallDirection : std::uint8_t
{
    TopDown, ///< the root's children are the outermost functions
    /// The root's children are the functions that allocate, and the children of each node are its callers.
    BottomUp,
};

/// Totals of a set of allocations.
struct CallWeight
{
    Bytes bytes = 0;
    std::int64_t count = 0;
    std::int64_t byteEvents = 0; ///< Σ bytes × lifetime in events within the trace

    CallWeight& operator+=(const CallWeight& other);
    CallWeight& operator-=(const CallWeight& other);
    bool operator==(const CallWeight&) const = default;
};

/// A node of a call tree: a function below one path of callers (of callees if bottom-up).
struct CallNode
{
    FunctionId function; ///< isNone() for the root
    std::uint32_t parent = 0; ///< the root is its own parent
    std::uint32_t firstChild = 0; ///< children are contiguous, largest first (ties: by label, by file)
    std::uint32_t childCount = 0;
    CallWeight total; ///< allocations whose path contains the node
    CallWeight self; ///< allocations whose path ends at the node
};

/// The call paths of a set of allocations, merged into a tree. total = self + Σ children's totals holds
/// exactly in every node, and the root's total is the total of the set. A plain value that owns its data.
struct CallTree
{
    static constexpr std::uint32_t kRoot = 0;

    CallDirection direction = CallDirection::TopDown;
    std::vector<CallNode> nodes; ///< breadth first: a parent precedes its children
    std::vector<CallFunction> functions;
    std::vector<std::uint32_t> endOf; ///< by position in the set: the node where its path ends

    const CallFunction& functionOf(const CallNode& node) const { return functions[node.function.index()]; }
    /// Returns the node's label, "(all)" for the root.
    std::string label(std::uint32_t node) const;
    /// Returns the path from the root's child down to the node; empty for the root.
    std::vector<std::uint32_t> pathTo(std::uint32_t node) const;
};

/// Returns a mask by position in the set: true if the path of the allocation contains a chosen node. `chosen`
/// is indexed by node. O(nodes + set).
std::vector<bool> membersOf(const CallTree& tree, const std::vector<bool>& chosen);
/// Returns the mask for another set of allocations; `endOf` has the node where each of its paths ends.
std::vector<bool> membersOf(
    const CallTree& tree, const std::vector<bool>& chosen, const std::vector<std::uint32_t>& endOf);

/// Returns folded stacks for flame graph programs (Brendan Gregg's format): one line "outer;inner bytes" for
/// each path with memory. Functions are outermost first, whatever the direction of the tree. A ";" in a name
/// becomes ":". The lines add up to the total of the set. O(nodes × depth).
std::string foldedStacks(const CallTree& tree);

} // namespace highwater
