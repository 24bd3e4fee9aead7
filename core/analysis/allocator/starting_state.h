#pragma once

#include <vector>

#include "core/analysis/allocator/allocation_script.h"

namespace highwater {

struct WhatIf;

/// Requested bytes of each allocation of a run that is changed.
class ChangedSizes
{
public:
    static constexpr Bytes kRemoved = -1;

    ChangedSizes(const AllocationTable& allocations, const WhatIf& change);

    /// kRemoved: it does not happen.
    Bytes of(AllocationIndex i) const { return m_changed.empty() ? m_allocations.bytes(i) : m_bytes[i]; }
    bool isChanged(AllocationIndex i) const { return !m_changed.empty() && m_changed[i]; }

private:
    const AllocationTable& m_allocations;
    std::vector<bool> m_changed; ///< empty: nothing is
    std::vector<Bytes> m_bytes;
};

/// Gives the allocator what the recorded run had before its first event: segments with their blocks, and the
/// address space of expandable segments. Changed allocations leave their place: a segment or page in which
/// nothing else lives is not reserved; those with a new size are allocated anew, in the order of the table.
///
/// Where a freed block is known only by the rounded request, a rest behind it that is too small to be a block
/// of the large pool is its own.
void layOut(CachingAllocator& allocator, const AllocationScript& script, const ChangedSizes& sizes);

} // namespace highwater
