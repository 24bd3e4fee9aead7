#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/usage/private_segments.h"
#include "core/trace/trace.h"

namespace highwater {

using AllocationIndex = std::uint32_t;

/// The source of an allocation's stack.
enum class StackOrigin : std::uint8_t
{
    Allocation, ///< the alloc event
    Block, ///< the snapshot's block: allocated before the trace and never freed in it
    Free, ///< the event that freed it: allocated before the trace, with an unknown stack
};

/// Every allocation of one device: birth, death and size. Other data is read from the trace, so the table
/// takes only about ten bytes per allocation.
///
/// The order is the stacking order, from the bottom: allocations made before the trace (first those that are
/// never freed in it, by address; then by death, latest first), then by birth. It does not depend on the
/// quantity: an index means the same allocation in all tables of a device.
class AllocationTable
{
public:
    static constexpr std::int32_t kBeforeTrace = -1;
    static constexpr std::int32_t kNeverFreed = std::numeric_limits<std::int32_t>::max();

    /// Counts in the device's own quantity. O(events + segments × log segments). The trace must outlive the
    /// table.
    AllocationTable(const Trace& trace, DeviceIndex device);
    /// Counts in the given quantity. Allocated means the bytes that the blocks occupy: exact if the snapshot
    /// still contains the block; else the smallest block that the allocator makes for such a request
    /// (`roundedSize`), which is a lower bound. Any other quantity must be the device's own. O(events × log
    /// segments).
    AllocationTable(const Trace& trace, DeviceIndex device, Quantity quantity);

    std::size_t size() const { return m_size.size(); }
    /// Returns the number of allocations made before the trace; they come first.
    std::size_t olderCount() const { return m_olderCount; }
    std::int64_t eventCount() const { return m_trace->eventCount(m_device); }
    const Trace& trace() const { return *m_trace; }
    DeviceIndex device() const { return m_device; }
    Quantity quantity() const { return m_quantity; }

    /// Returns the index of the alloc event within the device; kBeforeTrace for older allocations.
    std::int32_t birth(AllocationIndex i) const { return m_birth[i]; }
    /// Returns the index of the event that frees the allocation; kNeverFreed if the trace has none.
    std::int32_t death(AllocationIndex i) const { return m_death[i]; }
    /// Returns the size in the table's quantity.
    Bytes bytes(AllocationIndex i) const { return m_size[i]; }
    /// Returns the size in the file, in the device's own quantity.
    Bytes recordedBytes(AllocationIndex i) const;
    /// True if `bytes` is a lower bound computed with the allocator's rule instead of a recorded size.
    bool isInferred(AllocationIndex i) const { return m_hasInferred && blockBytes(i) < 0; }
    bool hasInferred() const { return m_hasInferred; }
    /// True if the allocation is alive right after the event; −1 means before the first event.
    bool isLiveAt(AllocationIndex i, std::int64_t event) const
    {
        return m_birth[i] <= event && event < m_death[i];
    }

    Address address(AllocationIndex i) const;
    StackId stack(AllocationIndex i) const;
    StackOrigin stackOrigin(AllocationIndex i) const;
    StreamId stream(AllocationIndex i) const;
    /// Returns the pool recorded with the event, else the pool of the segment; isNone() if unknown. O(log
    /// segments).
    PoolId pool(AllocationIndex i) const;
    /// Returns the category given by the recorder; isNone() if there is none.
    StringId recordedCategory(AllocationIndex i) const;
    /// Returns the size of the block if the snapshot still contains it; else −1.
    Bytes blockBytes(AllocationIndex i) const;
    /// Returns the state of the block in the snapshot; Inactive if the snapshot does not contain it.
    BlockState finalState(AllocationIndex i) const;

    /// Returns the allocations that are alive right after the event, in stacking order. O(allocations).
    std::vector<AllocationIndex> liveAt(std::int64_t event) const;
    /// Returns the allocation that an event makes or frees; kNoAllocation if there is none. O(log n).
    AllocationIndex ofEvent(std::int64_t event) const;
    static constexpr AllocationIndex kNoAllocation = std::numeric_limits<AllocationIndex>::max();

    const Column<std::int32_t>& births() const { return m_birth; }
    const Column<std::int32_t>& deaths() const { return m_death; }
    std::size_t memoryBytes() const
    {
        return m_birth.memoryBytes() + m_death.memoryBytes() + m_size.memoryBytes();
    }

private:
    void addUntouched();
    void addFreedOlder();
    void addBorn();
    void findFreeStackOrigin();
    void useBlockSizes();
    void add(std::int32_t birth, std::int32_t death, Bytes size);
    std::size_t row(std::int64_t event) const { return m_trace->row(m_device, event); }
    std::optional<Block> blockOf(AllocationIndex i) const;
    std::optional<std::uint32_t> segmentAt(Address address) const;

    const Trace* m_trace;
    DeviceIndex m_device;
    Quantity m_quantity;
    bool m_hasInferred = false;
    Column<std::int32_t> m_birth;
    Column<std::int32_t> m_death;
    PackedColumn<Bytes> m_size;
    /// Block row of each allocation without an event, by address. Refers to a list of the trace if that is
    /// sorted by address, else to m_sortedUntouched.
    std::span<const std::uint32_t> m_untouched;
    std::vector<std::uint32_t> m_sortedUntouched;
    std::vector<std::uint32_t> m_segmentsByAddress; ///< the device's segments, by address
    PrivateSegments m_privateSegments;
    std::size_t m_olderCount = 0;
    bool m_freesCarryAllocationStacks = false;
};

} // namespace highwater
