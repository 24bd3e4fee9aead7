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

/// Longest life, in events, of a block that only one operator used.
inline constexpr std::int32_t kEventsOfAnOperator = 16;

/// Facts about allocations that category rules use: the phases of birth and death, and the roles and traits
/// of both stacks. In the comments below, "the block" is the allocation `i`. Refers to its inputs, which must
/// outlive it.
class CategoryEvidence
{
public:
    /// Costs O(events + stacks).
    CategoryEvidence(const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases,
        const StepTable& steps);

    const AllocationTable& allocations() const { return m_allocations; }

    /// Returns the size as recorded: categories do not depend on the quantity shown.
    Bytes size(AllocationIndex i) const { return m_allocations.recordedBytes(i); }
    bool isOlder(AllocationIndex i) const { return i < m_allocations.olderCount(); }
    /// True if the running program freed the block. If a failure or the end of the program dropped
    /// everything, the block counts as never freed, because such an end says nothing about its use.
    bool isFreed(AllocationIndex i) const;

    /// Returns Phase::Unknown for allocations older than the trace.
    Phase birthPhase(AllocationIndex i) const;
    /// Returns Phase::Unknown for allocations that are never freed (`isFreed`).
    Phase deathPhase(AllocationIndex i) const;
    /// True if the block is freed in the phase that allocated it.
    bool diesInItsPhase(AllocationIndex i) const;
    /// True if the block is freed after so few events that only one operator can have used it.
    bool diesAtOnce(AllocationIndex i) const;
    /// True if the block is freed in the step that allocated it; false if steps are not known.
    bool diesInItsStep(AllocationIndex i) const;
    /// True if the block is freed in the step after its own, before the model runs in that step.
    bool isFreedBeforeNextModelCall(AllocationIndex i) const;
    /// True if the model ran while the block was live, and the block is freed in its own step or in the next;
    /// if no steps are known, at any time.
    bool isUsedByModelCall(AllocationIndex i) const;
    /// True if a known stack allocated the block before the model first ran, and the block is freed in the
    /// third step or later.
    bool outlivesSetUp(AllocationIndex i) const;
    /// True if a failure or the end of the trace cuts off the phase that allocated the block while the block
    /// is live. Then it is unknown whether the block would have outlived the phase.
    bool isCutOff(AllocationIndex i) const;
    /// Returns the number of events from the birth of the block until the next failure or the end of the
    /// trace.
    std::int64_t ageWhenCutOff(AllocationIndex i) const;
    /// True if the block was allocated while a module ran and freed while none ran, so it is not an
    /// operator's scratch memory.
    bool outlivesItsModule(AllocationIndex i) const;

    /// True if autograd frees the block in a later backward. It was saved for that backward, so it is not a
    /// gradient.
    bool isConsumedByBackward(AllocationIndex i) const;

    /// True if autograd allocated the block and it is freed where FSDP copies gradients into the buffer that
    /// is reduced.
    bool isReducedGradient(AllocationIndex i) const;

    /// True if a backward begins before the event.
    bool isAfterFirstBackward(std::int64_t event) const;

    /// Returns the number of the phase range that contains the event; it ascends with the events.
    std::uint32_t rangeOf(std::int64_t event) const { return m_rangeOf[static_cast<std::size_t>(event)]; }

    /// True if the allocating stack is known.
    bool hasBirthStack(AllocationIndex i) const;
    /// Returns the role of the allocating stack; empty if that stack is not known.
    StackRole birthRole(AllocationIndex i) const;
    /// True if the allocating stack has the trait.
    bool has(AllocationIndex i, StackTrait trait) const;
    /// Returns the role of the freeing stack; empty if that stack is not known.
    StackRole deathRole(AllocationIndex i) const;

    /// True if the phase occurs in the trace.
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
    std::vector<std::int64_t> m_stepOf; ///< by range; −1 before the first step, or if no steps are known
    /// The number of ranges that run the model, up to and including each range.
    std::vector<std::uint32_t> m_runsUpTo;
    std::vector<EventRange> m_unwinding; ///< events from a failed request until the program goes on
    std::int64_t m_lastBirth = -1;
};

} // namespace highwater
