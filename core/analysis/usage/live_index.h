#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// Finds what is live at any event, in stacking order, without scanning from the start.
///
/// The table is sorted by birth, so the live set at an event consists of the allocations of the previous
/// checkpoint that have not died, followed by those born since then that have not died: two scans of deaths.
/// There is a checkpoint of the live set, in the order of the table, every few thousand births; after a live
/// set of n the next one follows at least n births later, so that all of them together have at most two
/// entries per allocation.
class LiveIndex
{
public:
    /// O(allocations) in time and memory. The table must outlive the index.
    explicit LiveIndex(const AllocationTable& allocations);

    /// Replaces `live` by the allocations that are live right after `event`. O(live at the checkpoint before
    /// it + births since).
    void liveAt(std::int64_t event, std::vector<AllocationIndex>& live) const;

    /// Moves `live`, the live set after `from`, on to `to` ≥ `from`. O(live + births in between).
    void advance(std::int64_t from, std::int64_t to, std::vector<AllocationIndex>& live) const;

    /// Appends the allocations born after `from` and live right after `to` ≥ `from`. O(births in between),
    /// less where checkpoints lie between.
    void appendBornSince(std::int64_t from, std::int64_t to, std::vector<AllocationIndex>& live) const;

    const AllocationTable& allocations() const { return m_allocations; }
    std::size_t memoryBytes() const
    {
        return m_live.size() * sizeof(AllocationIndex) + m_checkpoints.size() * sizeof(Checkpoint);
    }

private:
    struct Checkpoint
    {
        AllocationIndex next; ///< first allocation not covered by it
        std::size_t begin; ///< its live set in m_live
        std::size_t end;
    };

    AllocationIndex firstBornAfter(std::int64_t event) const;
    /// Appends what is live right after `event`, without the allocations before `first`.
    void appendLive(AllocationIndex first, std::int64_t event, std::vector<AllocationIndex>& live) const;

    const AllocationTable& m_allocations;
    std::vector<AllocationIndex> m_live;
    std::vector<Checkpoint> m_checkpoints;
};

} // namespace highwater
