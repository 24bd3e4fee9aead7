#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/categories/category_table.h"
#include "core/analysis/steps/phase_table.h"
#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/live_index.h"

namespace highwater {

/// The allocations that are kept from earlier steps, with the event from which on each is kept. An
/// allocation that outlives its own step and the next step is kept from the end of its own step on. A block
/// that is freed in the next step is only carried over, not kept. Memory that a run keeps by design is never
/// kept: parameters, optimizer state, gradients, and the set-up, which was made before the first phase. A
/// server's KV cache is set-up; one made later may be kept. Four bytes per allocation; no bytes if nothing is
/// kept.
class KeptBlocks
{
public:
    static constexpr std::int32_t kNever = AllocationTable::kNeverFreed;

    KeptBlocks() = default;
    /// Costs O(allocations + steps).
    KeptBlocks(const AllocationTable& allocations, const PhaseTable& phases, const StepTable& steps,
        const CategoryTable& categories);

    /// Returns the first event at which the allocation is kept; kNever if it never is.
    std::int32_t keptSince(AllocationIndex i) const { return m_keptSince.empty() ? kNever : m_keptSince[i]; }
    /// True if the allocation is kept right after the event; it must be live at that event.
    bool isKept(AllocationIndex i, std::int64_t event) const { return keptSince(i) <= event; }
    /// True if any allocation is ever kept.
    bool isAny() const { return !m_keptSince.empty(); }
    /// True if the allocation was made before the first phase, or before the recording.
    bool isSetUp(const AllocationTable& allocations, AllocationIndex i) const
    {
        return allocations.birth(i) < m_setUpEnd;
    }

private:
    std::vector<std::int32_t> m_keptSince; ///< by allocation
    std::int64_t m_setUpEnd = 0; ///< first event in a phase; 0 if no phase is known
};

} // namespace highwater
