#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/categories/stack_traits.h"
#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/stack_roles.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/allocations.h"

namespace highwater {

/// What the rules of categories ask about an allocation: in which phases it was born and died, and what the
/// stacks of both moments say. Refers to what it is made of.
class CategoryEvidence
{
public:
    /// O(events + stacks).
    CategoryEvidence(const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases,
        const StepTable& steps);

    const AllocationTable& allocations() const { return m_allocations; }

    /// As recorded: categories do not depend on the quantity that is shown.
    Bytes size(AllocationIndex i) const { return m_allocations.recordedBytes(i); }
    bool isOlder(AllocationIndex i) const { return i < m_allocations.olderCount(); }
    bool isFreed(AllocationIndex i) const { return m_allocations.death(i) != AllocationTable::kNeverFreed; }

    /// Phase::Unknown for what is older than the trace.
    Phase birthPhase(AllocationIndex i) const;
    /// Phase::Unknown for what is never freed.
    Phase deathPhase(AllocationIndex i) const;
    /// Freed before the phase ends that it was born in.
    bool diesInItsPhase(AllocationIndex i) const;
    /// Freed in the step that it was born in.
    bool diesInItsStep(AllocationIndex i) const;
    /// Born in the last phase of the trace, and never freed: it is not known whether it would have outlived
    /// it.
    bool isCutOff(AllocationIndex i) const;

    /// Number of the stretch of one phase that an event lies in; ascends with the events.
    std::uint32_t rangeOf(std::int64_t event) const { return m_rangeOf[static_cast<std::size_t>(event)]; }

    /// Whether it is known which stack allocated it.
    bool hasBirthStack(AllocationIndex i) const;
    /// Of the stack that allocated it; nothing where that is not known.
    StackRole birthRole(AllocationIndex i) const;
    bool has(AllocationIndex i, StackTrait trait) const;
    /// Of the stack that freed it; nothing where that is not known.
    StackRole deathRole(AllocationIndex i) const;

    /// Whether any event lies in the phase.
    bool occurs(Phase phase) const;

private:
    const PhaseRange& range(std::int64_t event) const { return m_ranges[rangeOf(event)]; }

    const Trace& m_trace;
    const AllocationTable& m_allocations;
    const std::vector<PhaseRange>& m_ranges;
    StackRoles m_roles;
    StackTraits m_traits;
    std::vector<std::uint32_t> m_rangeOf; ///< by event
    std::vector<std::int64_t> m_stepOf; ///< by range; −1: before the first step
};

} // namespace highwater
