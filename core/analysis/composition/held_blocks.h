#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/categories/category_table.h"
#include "core/analysis/steps/phase_table.h"
#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/live_index.h"

namespace highwater {

/// Knows which allocations are kept from earlier steps, and from when on: those that outlive their step and
/// the one after it (or live to the end of the recording) are held from the end of their own step on. A block
/// that is freed in the next step is only carried over, not held. Memory that a run keeps by design is never
/// held: parameters, optimizer state, gradients, KV caches, and the set-up, which was made before the first
/// phase. Four bytes per allocation; no bytes if nothing is held.
class HeldBlocks
{
public:
    static constexpr std::int32_t kNever = AllocationTable::kNeverFreed;

    HeldBlocks() = default;
    /// Costs O(allocations + steps).
    HeldBlocks(const AllocationTable& allocations, const PhaseTable& phases, const StepTable& steps,
        const CategoryTable& categories);

    /// Returns the first event at which it is held; kNever if it never is.
    std::int32_t from(AllocationIndex i) const { return m_from.empty() ? kNever : m_from[i]; }
    /// True if it is held right after the event, provided that it is live then.
    bool isHeld(AllocationIndex i, std::int64_t event) const { return from(i) <= event; }
    /// True if any allocation is ever held.
    bool isAny() const { return !m_from.empty(); }
    /// True if it was made before the first phase, or before the recording.
    bool isSetUp(const AllocationTable& allocations, AllocationIndex i) const
    {
        return allocations.birth(i) < m_setUpEnd;
    }

private:
    std::vector<std::int32_t> m_from; ///< by allocation
    std::int64_t m_setUpEnd = 0; ///< first event in a phase; 0 if no phase is known
};

} // namespace highwater
