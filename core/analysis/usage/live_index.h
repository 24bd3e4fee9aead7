#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// Finds the allocations alive at any event, in stacking order, without scanning from the start.
///
/// A checkpoint stores the live set at an event. The table is sorted by birth, so the live set at a later
/// event is the part of the checkpoint that has not been freed, followed by the part of later births that has
/// not been freed. Checkpoints are at least 4,096 births apart, and at least as many as the live set has
/// entries. So all checkpoints together have at most two entries per allocation.
class LiveIndex
{
public:
    /// Takes O(allocations) time and memory. The table must outlive the index.
    explicit LiveIndex(const AllocationTable& allocations);

    /// Replaces `live` by the allocations that are alive right after `event`. O(live at the checkpoint before
    /// it + births since).
    void liveAt(std::int64_t event, std::vector<AllocationIndex>& live) const;

    /// Changes `live` from the live set after `from` to the live set after `to` ≥ `from`. O(live + births in
    /// between).
    void advance(std::int64_t from, std::int64_t to, std::vector<AllocationIndex>& live) const;

    /// Appends the allocations born after `from` and alive right after `to` ≥ `from`. O(births in between),
    /// less if there are checkpoints in between.
    void appendBornSince(std::int64_t from, std::int64_t to, std::vector<AllocationIndex>& live) const;

    const AllocationTable& allocations() const { return m_allocations; }
    std::size_t memoryBytes() const
    {
        return m_live.size() * sizeof(AllocationIndex) + m_checkpoints.size() * sizeof(Checkpoint);
    }

private:
    struct Checkpoint
    {
        AllocationIndex next; ///< first allocation that the checkpoint does not cover
        std::size_t begin; ///< start of its live set in m_live
        std::size_t end;
    };

    AllocationIndex firstBornAfter(std::int64_t event) const;
    /// Appends the allocations alive right after `event`, except those before `first`.
    void appendLive(AllocationIndex first, std::int64_t event, std::vector<AllocationIndex>& live) const;

    const AllocationTable& m_allocations;
    std::vector<AllocationIndex> m_live;
    std::vector<Checkpoint> m_checkpoints;
};

} // namespace highwater
