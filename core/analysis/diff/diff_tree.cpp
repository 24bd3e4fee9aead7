#include "core/analysis/diff/diff_tree.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "core/analysis/diff/matching/code_paths.h"
#include "core/analysis/stacks/call_tree_builder.h"

namespace highwater {

namespace {

/// Collects the functions of both runs, each once.
class CommonFunctions
{
public:
    /// Returns the common id for each of a run's functions. A function keeps the name of the run added first.
    std::vector<FunctionId> add(const std::vector<CallFunction>& functions, const StackClasses::Side& classes)
    {
        std::vector<FunctionId> common;
        for (const CallFunction& function : functions)
            common.push_back(idOf(function, classes));
        return common;
    }
    std::vector<CallFunction> takeFunctions() { return std::move(m_functions); }

private:
    FunctionId idOf(const CallFunction& function, const StackClasses::Side& classes)
    {
        const std::string key = function.frame.isNone()
            ? fmt::format(
                "{}\n{}\n{}", static_cast<int>(function.kind), function.name, portablePath(function.file))
            : fmt::format("{}", classes.function[function.frame.index()]);
        const auto [found, isNew] = m_ids.try_emplace(key, static_cast<std::uint32_t>(m_functions.size()));
        if (isNew)
            m_functions.push_back({function.kind, function.name, function.file});
        return FunctionId(found->second);
    }

    std::vector<CallFunction> m_functions;
    tsl::robin_map<std::string, std::uint32_t> m_ids;
};

CallTree buildTree(const DiffInput& input, const DiffTreeOptions& options)
{
    LiveSet set;
    set.allocations = input.live;
    return callTree(input.trace, input.allocations, input.sites, set, options.direction, options.detail);
}

/// Adds the paths of one run's tree to the common tree. Returns the node of the common tree, by node of the
/// run's tree.
std::vector<std::uint32_t> addPaths(
    CallTreeBuilder& builder, const CallTree& tree, const std::vector<FunctionId>& common)
{
    std::vector<std::uint32_t> nodeOf(tree.nodes.size(), CallTree::kRoot);
    for (std::size_t i = 1; i < tree.nodes.size(); ++i)
        nodeOf[i] = builder.child(nodeOf[tree.nodes[i].parent], common[tree.nodes[i].function.index()]);
    return nodeOf;
}

CallWeight largerWeights(const CallWeight& a, const CallWeight& b)
{
    return {std::max(a.bytes, b.bytes), std::max(a.count, b.count), std::max(a.byteEvents, b.byteEvents)};
}

/// The paths of one run, as they are added to the common tree.
struct SidePaths
{
    SidePaths(const DiffInput& input, const StackClasses::Side& classes, const DiffTreeOptions& options,
        CommonFunctions& functions, CallTreeBuilder& builder)
        : tree(buildTree(input, options))
        , nodeOf(addPaths(builder, tree, functions.add(tree.functions, classes)))
    {
    }

    CallTree tree; ///< tree of this run alone
    std::vector<std::uint32_t> nodeOf; ///< common-tree node of each node, before the tree is finished
};

/// Returns the weight of the paths that end at each node of the unfinished common tree.
std::vector<CallWeight> selfWeights(const SidePaths& paths, std::size_t nodeCount)
{
    std::vector<CallWeight> self(nodeCount);
    for (std::size_t i = 0; i < paths.tree.nodes.size(); ++i)
        self[paths.nodeOf[i]] += paths.tree.nodes[i].self;
    return self;
}

/// Makes a run's side of the finished tree. `order` maps the unfinished tree's nodes to the finished ones.
DiffTreeSide makeSide(const SidePaths& paths, const std::vector<CallWeight>& self,
    const std::vector<std::uint32_t>& order, const CallTree& tree)
{
    DiffTreeSide side;
    side.self.resize(self.size());
    for (std::size_t i = 0; i < self.size(); ++i)
        side.self[order[i]] = self[i];
    side.total = side.self;
    for (std::size_t i = tree.nodes.size(); i-- > 1;)
        side.total[tree.nodes[i].parent] += side.total[i];
    for (const std::uint32_t end : paths.tree.endOf)
        side.endOf.push_back(order[paths.nodeOf[end]]);
    return side;
}

} // namespace

DiffStatus DiffTree::status(std::uint32_t node) const
{
    DiffRow row;
    row.before = {before.total[node].bytes, before.total[node].count, -1};
    row.after = {after.total[node].bytes, after.total[node].count, -1};
    return row.status();
}

double DiffTree::shareOfChange(std::uint32_t node) const
{
    if (largestDelta == 0)
        return 0;
    return std::min(1.0, std::abs(static_cast<double>(delta(node))) / static_cast<double>(largestDelta));
}

DiffTree diffTree(const DiffInput& before, const DiffInput& after, const StackClasses& classes,
    const DiffTreeOptions& options)
{
    CommonFunctions functions;
    CallTreeBuilder builder;
    const SidePaths afterPaths(
        after, classes.after, options, functions, builder); // first, because it gives the names
    const SidePaths beforePaths(before, classes.before, options, functions, builder);
    const std::vector<CallWeight> selfBefore = selfWeights(beforePaths, builder.size());
    const std::vector<CallWeight> selfAfter = selfWeights(afterPaths, builder.size());
    for (std::uint32_t i = 0; i < builder.size(); ++i)
        builder.self(i) = largerWeights(selfBefore[i], selfAfter[i]);
    DiffTree diff;
    diff.options = options;
    diff.quantity = after.allocations.quantity();
    diff.tree.direction = options.direction;
    diff.tree.functions = functions.takeFunctions();
    const std::vector<std::uint32_t> order = builder.finish(diff.tree);
    diff.before = makeSide(beforePaths, selfBefore, order, diff.tree);
    diff.after = makeSide(afterPaths, selfAfter, order, diff.tree);
    for (std::uint32_t i = 1; i < diff.tree.nodes.size(); ++i)
        diff.largestDelta = std::max(diff.largestDelta, std::abs(diff.delta(i)));
    return diff;
}

} // namespace highwater
