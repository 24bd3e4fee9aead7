#pragma once

#include <vector>

#include "core/analysis/stacks/call_tree.h"

namespace highwater {

/// Totals of one function of a call tree over all its nodes.
struct FunctionTotal
{
    FunctionId function;
    CallWeight inclusive; ///< of all stacks that contain it, each counted once even if it is recursive
    CallWeight self; ///< of the stacks in which it is the innermost function
};

/// Every function of a top-down tree, largest inclusive bytes first (ties: by label). Σ self of all is the
/// total of the set. O(nodes).
std::vector<FunctionTotal> functionTotals(const CallTree& topDown);

/// One function and its neighbours. Where a function calls itself, a stack counts once for the caller of its
/// outermost call and once for the callee of its innermost call. So Σ callers = inclusive and Σ callees +
/// self = inclusive, exactly.
struct CallPartners
{
    FunctionTotal function;
    struct Partner
    {
        FunctionId function; ///< none, as a caller: it is outermost
        CallWeight weight;
    };
    std::vector<Partner> callers; ///< largest first (ties: by label)
    std::vector<Partner> callees;
};

/// O(nodes). All zero for a function that is not in the tree.
CallPartners callPartners(const CallTree& topDown, FunctionId function);

} // namespace highwater
