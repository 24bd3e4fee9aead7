#include "core/analysis/categories/category_rule_matcher.h"

#include <algorithm>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

/// Returns 1 for each stack, by index, if any of its frames matches the pattern. An invalid pattern matches
/// nothing.
std::vector<std::uint8_t> stacksWith(const Trace& trace, const std::string& pattern)
{
    const re2::RE2 expression(pattern, re2::RE2::Quiet);
    return stackBitsByFrame(trace.stacks, [&](const Frame& frame) {
        return expression.ok() && re2::RE2::PartialMatch(frameLine(trace, frame), expression);
    });
}

} // namespace

CategoryRuleMatcher::CategoryRuleMatcher(const Trace& trace, const AllocationTable& allocations,
    const PhaseTable& phases, const std::vector<CategoryRule>& rules)
    : m_allocations(allocations)
    , m_phases(phases)
{
    for (const CategoryRule& rule : rules)
        m_rules.push_back({rule, phaseFromText(rule.phase),
            rule.frames.empty() ? std::vector<std::uint8_t>() : stacksWith(trace, rule.frames)});
}

std::optional<Category> CategoryRuleMatcher::match(AllocationIndex i) const
{
    const auto found
        = std::ranges::find_if(m_rules, [&](const PreparedRule& prepared) { return matches(prepared, i); });
    return found == m_rules.end() ? std::nullopt : std::optional(found->rule.category);
}

bool CategoryRuleMatcher::matches(const PreparedRule& prepared, AllocationIndex i) const
{
    const Bytes size = m_allocations.recordedBytes(i);
    if (size < prepared.rule.minBytes || size > prepared.rule.maxBytes)
        return false;
    if (!prepared.rule.frames.empty()) {
        const StackId stack = m_allocations.stack(i);
        if (stack.isNone() || !prepared.matchingStacks[stack.index()])
            return false;
    }
    return prepared.rule.phase.empty() || m_phases.at(m_allocations.birth(i)) == prepared.phase;
}

std::string frameLine(const Trace& trace, const Frame& frame)
{
    return fmt::format("{} {}:{}", trace.text(frame.function), trace.text(frame.file), frame.line);
}

} // namespace highwater
