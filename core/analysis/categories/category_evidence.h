#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/categories/stack_traits.h"
#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/stack_roles.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/event_range.h"

namespace highwater {

/// Freed after so few events that one operator must have used it.
inline constexpr std::int32_t kEventsOfAnOperator = 16;

/// The facts about an allocation that category rules use: the phases of its birth and death, and what the
/// stacks of both say. Refers to its inputs, which must outlive it.
class CategoryEvidence
{
public:
    /// O(events + stacks).
    CategoryEvidence(const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases,
        const StepTable& steps);

    const AllocationTable& allocations() const { return m_allocations; }

    /// As recorded: categories do not depend on the quantity shown.
    Bytes size(AllocationIndex i) const { return m_allocations.recordedBytes(i); }
    bool isOlder(AllocationIndex i) const { return i < m_allocations.olderCount(); }
    /// By the program as it ran. What goes when a failure or the end of the program lets go of everything
    /// counts as never freed: its end says nothing about what it was.
    bool isFreed(AllocationIndex i) const;

    /// Phase::Unknown for allocations older than the trace.
    Phase birthPhase(AllocationIndex i) const;
    /// Phase::Unknown for allocations that are never freed.
    Phase deathPhase(AllocationIndex i) const;
    /// Freed before the end of the phase in which it was allocated.
    bool diesInItsPhase(AllocationIndex i) const;
    /// Freed after so few events that one operator must have used it.
    bool diesAtOnce(AllocationIndex i) const;
    /// Freed in the step in which it was allocated; false where steps are not known.
    bool diesInItsStep(AllocationIndex i) const;
    /// Freed in the step behind its own, before the model runs in that.
    bool diesBeforeNextRun(AllocationIndex i) const;
    /// Freed in the step in which it was allocated or in the next, after the model ran.
    bool isThereForAModelRun(AllocationIndex i) const;
    /// Allocated, by a known stack, before the model first ran, and there for two steps or more until freed.
    bool outlivesSetUp(AllocationIndex i) const;
    /// Allocated in the phase that a failure or the end of the trace cuts off, and not freed before: whether
    /// it would have outlived the phase is not known.
    bool isCutOff(AllocationIndex i) const;
    /// Events from its birth until a failure or the end of the trace.
    std::int64_t ageWhenCutOff(AllocationIndex i) const;
    /// Allocated while a model ran and freed when it did not run: more than an operator's scratch memory.
    bool outlivesItsModule(AllocationIndex i) const;

    /// Freed by autograd in a later backward: it was saved for that backward, so it is no gradient.
    bool isConsumedByBackward(AllocationIndex i) const;

    /// Made by autograd and freed where FSDP reduces gradients: copied into the buffer there.
    bool isReducedGradient(AllocationIndex i) const;

    /// Whether a backward begins before the event.
    bool isBehindFirstBackward(std::int64_t event) const;

    /// Number of the phase range that contains the event; ascends with the events.
    std::uint32_t rangeOf(std::int64_t event) const { return m_rangeOf[static_cast<std::size_t>(event)]; }

    /// Whether the allocating stack is known.
    bool hasBirthStack(AllocationIndex i) const;
    /// Role of the allocating stack; empty where it is not known.
    StackRole birthRole(AllocationIndex i) const;
    bool has(AllocationIndex i, StackTrait trait) const;
    /// Role of the freeing stack; empty where it is not known.
    StackRole deathRole(AllocationIndex i) const;

    /// Whether any event lies in the phase.
    bool occurs(Phase phase) const;

private:
    const PhaseRange& range(std::int64_t event) const { return m_ranges[rangeOf(event)]; }
    StackId deathStack(AllocationIndex i) const;
    void findUnwinding();
    bool isUnwound(AllocationIndex i) const;

    const Trace& m_trace;
    const AllocationTable& m_allocations;
    const std::vector<PhaseRange>& m_ranges;
    StackRoles m_roles;
    StackTraits m_traits;
    std::vector<std::uint32_t> m_rangeOf; ///< by event
    std::vector<std::int64_t> m_stepOf; ///< by range; −1: before the first step, or none are known
    std::vector<std::uint32_t> m_runsUpTo; ///< by range: ranges that run the model up to and with it
    std::vector<EventRange> m_unwinding; ///< events behind a failed request, until the program goes on
    std::int64_t m_lastBirth = -1;
};

} // namespace highwater
