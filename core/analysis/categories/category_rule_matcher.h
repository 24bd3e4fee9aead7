#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/steps/phases.h"
#include "core/analysis/usage/allocations.h"
#include "core/run/category_rules.h"

namespace highwater {

/// Finds the user's rule that an allocation falls under. Refers to what it is made of.
class CategoryRuleMatcher
{
public:
    /// Looks for each expression once in each frame: O(rules × (frames + stacks)). A rule whose expression is
    /// none fits nothing.
    CategoryRuleMatcher(const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases,
        const std::vector<CategoryRule>& rules);

    bool isEmpty() const { return m_rules.empty(); }
    /// Category of the first rule that fits. The stack is the one that is shown: for what is older than the
    /// trace that may be the one that freed it. O(rules).
    std::optional<Category> match(AllocationIndex i) const;

private:
    struct Prepared
    {
        CategoryRule rule;
        std::optional<Phase> phase;
        std::vector<char> fitsStack; ///< by node; empty: any stack
    };
    bool fits(const Prepared& prepared, AllocationIndex i) const;

    const AllocationTable& m_allocations;
    const PhaseTable& m_phases;
    std::vector<Prepared> m_rules;
};

/// The line of a frame that expressions are looked for in: "function file:line".
std::string frameLine(const Trace& trace, const Frame& frame);

} // namespace highwater
