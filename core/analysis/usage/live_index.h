#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// What is live at any event, in stacking order, without walking from the start.
///
/// The table is sorted by birth, so what is live at an event is what a checkpoint before it holds and has not
/// died, followed by the allocations born since then that have not died: two scans of deaths. Checkpoints of
/// the live set, each in the order of the table, stand every few thousand births, and further apart where
/// more is live: after a live set of n the next one stands at least n births later. So all of them together
/// have at most two entries an allocation.
class LiveIndex
{
public:
    /// O(allocations) in time and memory. The table must outlive the index.
    explicit LiveIndex(const AllocationTable& allocations);

    /// Replaces `live` by what is live right after `event`. O(live at the checkpoint before it + births
    /// since).
    void liveAt(std::int64_t event, std::vector<AllocationIndex>& live) const;

    /// Moves `live`, which holds what is live after `from`, on to `to` ≥ `from`. O(live + births in between).
    void advance(std::int64_t from, std::int64_t to, std::vector<AllocationIndex>& live) const;

    /// Appends what is born after `from` and live right after `to` ≥ `from`. O(births in between), and less
    /// where checkpoints stand between.
    void appendBornSince(std::int64_t from, std::int64_t to, std::vector<AllocationIndex>& live) const;

    const AllocationTable& allocations() const { return m_allocations; }
    std::size_t memoryBytes() const
    {
        return m_live.size() * sizeof(AllocationIndex) + m_checkpoints.size() * sizeof(Checkpoint);
    }

private:
    struct Checkpoint
    {
        AllocationIndex next; ///< first allocation that it does not cover
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
