#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/segments/mapped_ranges.h"
#include "core/analysis/segments/occupied_sizes.h"
#include "core/analysis/usage/live_index.h"
#include "core/analysis/usage/pending_frees.h"

namespace highwater {

/// A part of a segment at an event: an allocated block or a free block.
struct BlockAt
{
    Address address = 0;
    Bytes size = 0;
    Bytes requested = 0; ///< 0 for a free block
    AllocationIndex allocation = AllocationTable::kNoAllocation; ///< kNoAllocation for a free block
    BlockState state = BlockState::Inactive; ///< Inactive for a free block
    SizeSource sizeSource = SizeSource::Rule;

    bool isFreeBlock() const { return state == BlockState::Inactive; }
    Address end() const { return address + static_cast<Address>(size); }
};

/// The blocks of a state, stored as columns: there may be a million.
class BlocksAt
{
public:
    using Iterator = IndexIterator<BlocksAt>;

    void push_back(const BlockAt& block);
    BlockAt operator[](std::size_t row) const
    {
        return {m_address[row], m_size[row], m_requested[row], m_allocation[row], m_state[row],
            m_sizeSource[row]};
    }
    BlockAt front() const { return (*this)[0]; }
    BlockAt back() const { return (*this)[size() - 1]; }
    std::size_t size() const { return m_state.size(); }
    bool empty() const { return size() == 0; }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    PackedColumn<Address> m_address;
    PackedColumn<Bytes> m_size;
    PackedColumn<Bytes> m_requested;
    PackedColumn<AllocationIndex> m_allocation;
    Column<BlockState> m_state;
    Column<SizeSource> m_sizeSource;
};

/// A segment at an event. Its blocks fill it without gaps, and no two free blocks are adjacent.
struct SegmentAt
{
    MappedRange range;
    RowRange blocks; ///< rows of SegmentState::blocks, by address
    Bytes activeBytes = 0;
    Bytes pendingBytes = 0;
    Bytes freeBytes = 0;
    Bytes largestFree = 0;

    Bytes liveBytes() const { return activeBytes + pendingBytes; }
    bool isUnused() const { return freeBytes == range.size; }
};

/// The segments of a state, stored as columns: there may be hundreds of thousands.
class SegmentsAt
{
public:
    using Iterator = IndexIterator<SegmentsAt>;

    void push_back(const SegmentAt& segment);
    SegmentAt operator[](std::size_t row) const;
    /// Returns a part of a segment, which is cheaper than to read the whole segment.
    MappedRange range(std::size_t row) const
    {
        return {m_begin[row], m_size[row], m_stream[row], m_pool[row], m_type[row], m_expandable[row]};
    }
    Bytes rangeBytes(std::size_t row) const { return m_size[row]; }
    Bytes freeBytes(std::size_t row) const { return m_freeBytes[row]; }
    RowRange blocks(std::size_t row) const { return {m_firstBlock[row], m_lastBlock[row]}; }
    std::size_t size() const { return m_type.size(); }
    bool empty() const { return size() == 0; }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    PackedColumn<Address> m_begin;
    PackedColumn<Bytes> m_size;
    PackedColumn<StreamId> m_stream;
    PackedColumn<PoolId> m_pool;
    Column<SegmentType> m_type;
    Column<bool> m_expandable;
    PackedColumn<std::uint32_t> m_firstBlock;
    PackedColumn<std::uint32_t> m_lastBlock; ///< one past the last block
    PackedColumn<Bytes> m_activeBytes;
    PackedColumn<Bytes> m_pendingBytes;
    PackedColumn<Bytes> m_freeBytes;
    PackedColumn<Bytes> m_largestFree;
};

/// The state of one device's caching allocator right after an event. Bytes are those of blocks, which the
/// allocator counts as allocated, unless the name says otherwise; active + pending + free = reserved.
struct SegmentState
{
    std::int64_t event = -1;
    bool recorded = true; ///< false if files of this kind do not record segments
    SegmentsAt segments; ///< by address
    BlocksAt blocks;
    IndexRange<BlocksAt> blocksOf(const SegmentAt& segment) const
    {
        return {blocks, segment.blocks.first, segment.blocks.last};
    }
    Bytes reservedBytes = 0;
    Bytes activeBytes = 0;
    Bytes pendingBytes = 0;
    Bytes freeBytes = 0;
    Bytes requestedBytes = 0; ///< requested bytes of active and pending blocks
    std::int64_t liveBlockCount = 0;
    std::int64_t freeBlockCount = 0;
    std::int64_t blockCountByRule = 0; ///< blocks whose size follows from the allocator's rule
    std::int64_t blockCountByLowerBound = 0;
    Bytes possiblyOccupiedBytes = 0; ///< free bytes after lower-bound blocks that may belong to them
    std::int64_t outsideAllocationCount = 0; ///< live allocations outside all segments
    Bytes outsideBytes = 0;
    /// Number of blocks cut because they overlap another or extend beyond their segment.
    std::int64_t clippedBlockCount = 0;
    std::int64_t contradictionCount = 0; ///< between final segments, or between them and segment events

    /// Returns the bytes in use as every other view counts them: as requested, if the file has that.
    Bytes inUseBytes() const { return requestedBytes > 0 ? requestedBytes : liveBytes(); }
    Bytes liveBytes() const { return activeBytes + pendingBytes; }
    /// True if every size is in the snapshot or follows from the allocator's rules, without a contradiction.
    bool isExact() const
    {
        return blockCountByLowerBound == 0 && outsideAllocationCount == 0 && clippedBlockCount == 0
            && contradictionCount == 0;
    }
};

/// Returns caveats about the accuracy of a state, one sentence each; empty if the snapshot contains the whole
/// state or files of this kind have no segments.
std::vector<std::string> reservations(const SegmentState& state);

/// The allocator's segments and blocks at any event of one device.
///
/// Segments are reconstructed backwards from those of the snapshot (importers/pytorch_snapshot/FORMAT.md),
/// with checkpoints at least 256 changes apart. Blocks are the live allocations, with the sizes of
/// OccupiedSizes.
class SegmentHistory
{
public:
    /// O(events × log live). All three arguments must outlive the object.
    SegmentHistory(const Trace& trace, const AllocationTable& allocations, const LiveIndex& live);

    /// Returns the state right after the event; −1 means before the first. O(live × log live + segments).
    SegmentState at(std::int64_t event) const;
    const OccupiedSizes& sizes() const { return m_sizes; }
    const PendingFrees& pending() const { return m_pending; }
    const AllocationTable& allocations() const { return m_allocations; }
    const Trace& trace() const { return m_trace; }

private:
    struct Checkpoint
    {
        std::size_t changes; ///< number of the first entries of m_changes that are applied
        MappedRanges ranges;
    };

    MappedRanges rangesAt(std::int64_t event) const;
    BlockAt blockOf(AllocationIndex allocation, std::int64_t event) const;

    const Trace& m_trace;
    const AllocationTable& m_allocations;
    const LiveIndex& m_live;
    OccupiedSizes m_sizes;
    PendingFrees m_pending;
    std::vector<std::int32_t> m_changes; ///< events that change segments
    std::vector<Checkpoint> m_checkpoints; ///< in descending order of events
    std::int64_t m_misfits = 0;
};

} // namespace highwater
