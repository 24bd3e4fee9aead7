#include "core/analysis/stacks/call_partners.h"

#include <algorithm>

namespace highwater {

namespace {

std::string labelOf(const CallTree& tree, FunctionId function)
{
    return function.isNone() ? std::string() : tree.functions[function.index()].label();
}

/// The weights of all callers, or all callees, of one function. One more entry is for "no function", the
/// caller of outermost functions.
class PartnerWeights
{
public:
    explicit PartnerWeights(const CallTree& tree)
        : m_tree(tree)
        , m_weights(tree.functions.size() + 1)
    {
    }

    CallWeight& weightFor(FunctionId function)
    {
        return m_weights[function.isNone() ? m_weights.size() - 1 : function.index()];
    }

    std::vector<CallPartners::Partner> sorted() const
    {
        std::vector<CallPartners::Partner> partners;
        for (std::size_t i = 0; i < m_weights.size(); ++i)
            if (m_weights[i].count > 0)
                partners.push_back({i + 1 == m_weights.size() ? FunctionId() : FunctionId(i), m_weights[i]});
        std::ranges::sort(partners, [&](const auto& a, const auto& b) {
            return a.weight.bytes != b.weight.bytes
                ? a.weight.bytes > b.weight.bytes
                : labelOf(m_tree, a.function) < labelOf(m_tree, b.function);
        });
        return partners;
    }

private:
    const CallTree& m_tree;
    std::vector<CallWeight> m_weights;
};

/// Adds up the self and inclusive weights of each function in a walk down the tree. A recursive call does not
/// add to the inclusive weight, because the function is on the path already.
class FunctionSums
{
public:
    FunctionSums(const CallTree& tree, std::vector<FunctionTotal>& totals)
        : m_tree(tree)
        , m_totals(totals)
        , m_callsOnPath(tree.functions.size(), 0)
    {
    }

    void walk()
    {
        struct PathStep
        {
            std::uint32_t node;
            std::uint32_t nextChild;
        };
        std::vector<PathStep> path{{CallTree::kRoot, 0}};
        while (!path.empty()) {
            PathStep& step = path.back();
            const CallNode& node = m_tree.nodes[step.node];
            if (step.nextChild == node.childCount) {
                if (step.node != CallTree::kRoot)
                    --m_callsOnPath[node.function.index()];
                path.pop_back();
                continue;
            }
            const std::uint32_t child = node.firstChild + step.nextChild++;
            enter(m_tree.nodes[child]);
            path.push_back({child, 0});
        }
    }

private:
    void enter(const CallNode& node)
    {
        const std::size_t function = node.function.index();
        m_totals[function].self += node.self;
        if (m_callsOnPath[function]++ == 0)
            m_totals[function].inclusive += node.total;
    }

    const CallTree& m_tree;
    std::vector<FunctionTotal>& m_totals;
    std::vector<std::uint32_t> m_callsOnPath;
};

} // namespace

std::vector<FunctionTotal> functionTotals(const CallTree& topDown)
{
    std::vector<FunctionTotal> totals(topDown.functions.size());
    for (std::size_t i = 0; i < totals.size(); ++i)
        totals[i].function = FunctionId(i);
    FunctionSums(topDown, totals).walk();
    std::erase_if(totals, [](const FunctionTotal& total) { return total.inclusive.count == 0; });
    std::ranges::sort(totals, [&](const FunctionTotal& a, const FunctionTotal& b) {
        return a.inclusive.bytes != b.inclusive.bytes
            ? a.inclusive.bytes > b.inclusive.bytes
            : labelOf(topDown, a.function) < labelOf(topDown, b.function);
    });
    return totals;
}

CallPartners callPartners(const CallTree& topDown, FunctionId function)
{
    CallPartners partners;
    partners.function.function = function;
    PartnerWeights callers(topDown);
    PartnerWeights callees(topDown);
    // For each node, the callee of the innermost call of `function` on the path above it, which may be the
    // node itself; kRoot if there is none.
    std::vector<std::uint32_t> calleeOnPath(topDown.nodes.size(), CallTree::kRoot);
    for (std::uint32_t i = 1; i < topDown.nodes.size(); ++i) {
        const CallNode& node = topDown.nodes[i];
        const bool isCallee
            = node.parent != CallTree::kRoot && topDown.nodes[node.parent].function == function;
        calleeOnPath[i] = isCallee ? i : calleeOnPath[node.parent];
        if (isCallee)
            callees.weightFor(node.function) += node.total;
        if (node.function != function)
            continue;
        partners.function.self += node.self;
        if (calleeOnPath[i] == CallTree::kRoot) {
            partners.function.inclusive += node.total;
            callers.weightFor(topDown.nodes[node.parent].function) += node.total;
        } else {
            // The call is recursive. The stack counts for the callee of the innermost call, so its weight is
            // removed from the outer callee.
            callees.weightFor(topDown.nodes[calleeOnPath[i]].function) -= node.total;
        }
    }
    partners.callers = callers.sorted();
    partners.callees = callees.sorted();
    return partners;
}

} // namespace highwater
