#include "core/analysis/categories/category_evidence.h"

#include <algorithm>

namespace highwater {

CategoryEvidence::CategoryEvidence(
    const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases, const StepTable& steps)
    : m_trace(trace)
    , m_allocations(allocations)
    , m_ranges(phases.ranges())
    , m_roles(trace)
    , m_traits(trace)
    , m_rangeOf(static_cast<std::size_t>(allocations.eventCount()), 0)
{
    for (std::size_t r = 0; r < m_ranges.size(); ++r) {
        std::fill(m_rangeOf.begin() + m_ranges[r].begin, m_rangeOf.begin() + m_ranges[r].end,
            static_cast<std::uint32_t>(r));
        const std::optional<std::size_t> step = steps.stepOf(m_ranges[r].begin);
        m_stepOf.push_back(step ? static_cast<std::int64_t>(*step) : -1);
    }
}

Phase CategoryEvidence::birthPhase(AllocationIndex i) const
{
    return isOlder(i) || m_ranges.empty() ? Phase::Unknown : range(m_allocations.birth(i)).phase;
}

Phase CategoryEvidence::deathPhase(AllocationIndex i) const
{
    return isFreed(i) && !m_ranges.empty() ? range(m_allocations.death(i)).phase : Phase::Unknown;
}

bool CategoryEvidence::diesInItsPhase(AllocationIndex i) const
{
    return !isOlder(i) && isFreed(i) && rangeOf(m_allocations.birth(i)) == rangeOf(m_allocations.death(i));
}

bool CategoryEvidence::diesInItsStep(AllocationIndex i) const
{
    return !isOlder(i) && isFreed(i) && !m_stepOf.empty()
        && m_stepOf[rangeOf(m_allocations.birth(i))] == m_stepOf[rangeOf(m_allocations.death(i))];
}

bool CategoryEvidence::isCutOff(AllocationIndex i) const
{
    return !isOlder(i) && !isFreed(i) && rangeOf(m_allocations.birth(i)) == m_rangeOf.back();
}

bool CategoryEvidence::hasBirthStack(AllocationIndex i) const
{
    return m_trace.stacks.hasFrames(m_allocations.stack(i))
        && m_allocations.stackOrigin(i) != StackOrigin::Free;
}

StackRole CategoryEvidence::birthRole(AllocationIndex i) const
{
    return m_allocations.stackOrigin(i) == StackOrigin::Free ? StackRole()
                                                             : m_roles.of(m_allocations.stack(i));
}

bool CategoryEvidence::has(AllocationIndex i, StackTrait trait) const
{
    return m_traits.has(m_allocations.stack(i), trait) && m_allocations.stackOrigin(i) != StackOrigin::Free;
}

StackRole CategoryEvidence::deathRole(AllocationIndex i) const
{
    if (!isFreed(i))
        return {};
    return m_roles.of(m_trace.events.stack[m_trace.row(m_allocations.device(), m_allocations.death(i))]);
}

bool CategoryEvidence::occurs(Phase phase) const
{
    return std::ranges::any_of(m_ranges, [&](const PhaseRange& range) { return range.phase == phase; });
}

} // namespace highwater
