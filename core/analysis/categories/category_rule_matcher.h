#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/steps/phases.h"
#include "core/analysis/usage/allocations.h"
#include "core/run/category_rules.h"

namespace highwater {

/// Finds the user's rule that applies to an allocation. Refers to its inputs, which must outlive it.
class CategoryRuleMatcher
{
public:
    /// Searches each frame once per rule with an expression: O(rules × (frames + stacks)). A rule with an
    /// invalid expression or an unknown phase matches nothing.
    CategoryRuleMatcher(const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases,
        const std::vector<CategoryRule>& rules);

    bool isEmpty() const { return m_rules.empty(); }
    /// Returns the category of the first rule that matches; nothing if none does. Uses the stack of the
    /// table, which for an allocation older than the trace may be the stack that freed it. O(rules).
    std::optional<Category> match(AllocationIndex i) const;

private:
    struct PreparedRule
    {
        CategoryRule rule;
        std::optional<Phase> phase;
        std::vector<std::uint8_t> matchingStacks; ///< by stack node; empty if the rule fits any stack
    };
    bool matches(const PreparedRule& prepared, AllocationIndex i) const;

    const AllocationTable& m_allocations;
    const PhaseTable& m_phases;
    std::vector<PreparedRule> m_rules;
};

/// Returns the text of a frame that rules and filters are matched against: "function file:line".
std::string frameLine(const Trace& trace, const Frame& frame);

} // namespace highwater
