#pragma once

#include <vector>

#include "core/analysis/stacks/call_tree.h"

namespace highwater {

/// Totals of one function of a call tree over all its nodes.
struct FunctionTotal
{
    FunctionId function;
    CallWeight inclusive; ///< all stacks that contain it, each counted once even if it is recursive
    CallWeight self; ///< the stacks in which it is the innermost function
};

/// Returns every function of a top-down tree, largest inclusive bytes first (ties: by label). Their self
/// weights add up to the total of the set. O(nodes).
std::vector<FunctionTotal> functionTotals(const CallTree& topDown);

/// One function, its callers and its callees. If a function calls itself, a stack counts once for the caller
/// of its outermost call and once for the callee of its innermost call. So Σ callers = inclusive and Σ
/// callees + self = inclusive, exactly.
struct CallPartners
{
    FunctionTotal function;
    struct Partner
    {
        FunctionId function; ///< isNone() for a caller if the function is outermost
        CallWeight weight;
    };
    std::vector<Partner> callers; ///< largest first (ties: by label)
    std::vector<Partner> callees;
};

/// Returns the partners of a function; all weights are zero if the tree does not contain it. O(nodes).
CallPartners callPartners(const CallTree& topDown, FunctionId function);

} // namespace highwater
