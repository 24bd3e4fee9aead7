#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// Finds the allocations alive at any event, in stacking order, without scanning from the start.
///
/// The table is sorted by birth, so the live set at an event consists of the allocations of the previous
/// checkpoint that have not been freed, followed by those born since then that have not been freed: two scans
/// of deaths. There is a checkpoint of the live set, in the order of the table, every few thousand births.
/// After a live set of n, the next one follows at least n births later, so that all of them together have at
/// most two entries per allocation.
class LiveIndex
{
public:
    /// Takes O(allocations) time and memory. The table must outlive the index.
    explicit LiveIndex(const AllocationTable& allocations);

    /// Replaces `live` by the allocations that are alive right after `event`. O(live at the checkpoint before
    /// it + births since).
    void liveAt(std::int64_t event, std::vector<AllocationIndex>& live) const;

    /// Advances `live` from the live set after `from` to that after `to` ≥ `from`. O(live + births in
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
