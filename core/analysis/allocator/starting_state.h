#pragma once

#include <vector>

#include "core/analysis/allocator/allocation_script.h"

namespace highwater {

struct WhatIf;

/// Requested bytes of each allocation in a modified run.
class ChangedSizes
{
public:
    static constexpr Bytes kRemoved = -1;

    ChangedSizes(const AllocationTable& allocations, const WhatIf& change);

    /// kRemoved: the allocation does not happen.
    Bytes of(AllocationIndex i) const { return m_changed.empty() ? m_allocations.bytes(i) : m_bytes[i]; }
    bool isChanged(AllocationIndex i) const { return !m_changed.empty() && m_changed[i]; }

private:
    const AllocationTable& m_allocations;
    std::vector<bool> m_changed; ///< empty: none is removed or resized
    std::vector<Bytes> m_bytes;
};

/// Sets up the allocator as the recorded run had it before its first event: segments with their blocks, and
/// the address space of expandable segments. Changed allocations leave their place: a segment or page that
/// holds nothing else is not reserved; resized ones are allocated again, in the order of the table.
///
/// Where only the rounded request of a freed block is known, the space behind it belongs to it if it is too
/// small to be a block of the large pool.
void layOut(CachingAllocator& allocator, const AllocationScript& script, const ChangedSizes& sizes);

} // namespace highwater
