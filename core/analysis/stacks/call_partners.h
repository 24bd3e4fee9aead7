#pragma once

#include <vector>

#include "core/analysis/stacks/call_tree.h"

namespace highwater {

/// Totals of one function of a call tree over all its nodes.
struct FunctionTotal
{
    FunctionId function;
    CallWeight inclusive; ///< stacks that contain the function, each counted once
    CallWeight self; ///< stacks in which the function is the innermost
};

/// Returns every function that allocations of a top-down tree pass through, largest inclusive bytes first
/// (ties: by label). The self weights add up to the total of the tree. O(nodes + functions × log functions).
std::vector<FunctionTotal> functionTotals(const CallTree& topDown);

/// One function, its callers and its callees. If the function calls itself, a stack counts only for the
/// caller of the outermost call and for the callee of the innermost call. So Σ callers = inclusive and Σ
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

/// Returns the callers and callees of a function; all weights are zero if the tree does not contain it.
/// O(nodes + functions + partners × log partners).
CallPartners callPartners(const CallTree& topDown, FunctionId function);

} // namespace highwater
