#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/categories/category_table.h"
#include "core/analysis/steps/phase_table.h"
#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/live_index.h"

namespace highwater {

/// Which allocations are held from earlier steps, and from when on: those that outlive their step and also
/// the one after it (or live to the end of the recording), from the end of their step on. What is only
/// carried over and freed in the next step is not held. Exempt is what a run keeps by design: parameters,
/// optimizer state, gradients, pools of an inference engine, and the set-up, which is what was made before
/// the first phase. Four bytes per allocation; none where nothing is held.
class HeldBlocks
{
public:
    static constexpr std::int32_t kNever = AllocationTable::kNeverFreed;

    HeldBlocks() = default;
    /// O(allocations + steps).
    HeldBlocks(const AllocationTable& allocations, const PhaseTable& phases, const StepTable& steps,
        const CategoryTable& categories);

    /// The first event after which it is held; kNever: it is in none.
    std::int32_t from(AllocationIndex i) const { return m_from.empty() ? kNever : m_from[i]; }
    /// Right after the event, if it is live then.
    bool isHeld(AllocationIndex i, std::int64_t event) const { return from(i) <= event; }
    /// Whether anything ever is.
    bool isAny() const { return !m_from.empty(); }
    /// Made before the first phase, or before the recording.
    bool isSetUp(const AllocationTable& allocations, AllocationIndex i) const
    {
        return allocations.birth(i) < m_setUpEnd;
    }

private:
    std::vector<std::int32_t> m_from; ///< by allocation
    std::int64_t m_setUpEnd = 0; ///< the first event in a phase; 0 where no phase is known
};

} // namespace highwater
