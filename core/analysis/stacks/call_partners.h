#pragma once

#include <vector>

#include "core/analysis/stacks/call_tree.h"

namespace highwater {

/// What one function of a call tree comes to, all its places in the tree together.
struct FunctionTotal
{
    FunctionId function;
    CallWeight inclusive; ///< of all stacks that hold it, each counted once however often it is in them
    CallWeight self; ///< of the stacks that it is the innermost function of
};

/// Every function of a top-down tree, largest inclusive bytes first (ties: by label). Σ self of all is the
/// total of the set. O(nodes).
std::vector<FunctionTotal> functionTotals(const CallTree& topDown);

/// One function and its neighbours. Where a function calls itself, a stack counts for the caller of its
/// outermost place and for the callee of its innermost place, once each. So Σ callers = inclusive and
/// Σ callees + self = inclusive, exactly.
struct CallPartners
{
    FunctionTotal function;
    struct Partner
    {
        FunctionId function; ///< none, of a caller: it is outermost
        CallWeight weight;
    };
    std::vector<Partner> callers; ///< largest first (ties: by label)
    std::vector<Partner> callees;
};

/// O(nodes). All zero for a function that is not in the tree.
CallPartners callPartners(const CallTree& topDown, FunctionId function);

} // namespace highwater
