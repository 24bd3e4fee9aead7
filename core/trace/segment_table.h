#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/units.h"
#include "core/trace/memory_event.h"

namespace highwater {

/// State of a block at the time of the snapshot.
enum class BlockState : std::uint8_t
{
    Active, ///< In use by the program
    PendingFree, ///< Freed by the program but pending for another stream: still occupies memory
    Inactive, ///< Cached, free for reuse
};

/// A part of a segment at the time of the snapshot.
struct Block
{
    Address address = 0;
    Bytes size = 0; ///< Bytes occupied
    Bytes requestedSize = 0; ///< Bytes requested by the caller; meaningless for inactive blocks
    BlockState state = BlockState::Inactive;
    StackId stack;
    StringId category; ///< As in MemoryEvent
    std::uint32_t historyEntries = 0; ///< Number of entries of the `history` list of PyTorch 1.13 and 2.0

    bool isLive() const { return state != BlockState::Inactive; }
};

/// The size class of a segment: small segments serve requests of up to 1 MiB (`kSmallRequest`).
enum class SegmentType : std::uint8_t
{
    Unknown,
    Small,
    Large
};

/// Name of the only frame of a block that represents all memory allocated before recording began, if only
/// its total is known.
inline constexpr std::string_view kKnownFromTotals
    = "(allocated before recording began, known from totals only)";

/// Half-open range of rows of one table.
struct RowRange
{
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    std::uint32_t size() const { return last - first; }
    bool isEmpty() const { return first == last; }
    bool operator==(const RowRange&) const = default;
};

/// Memory obtained from the driver in one piece; for expandable segments, one mapped range.
struct Segment
{
    std::int64_t deviceOrdinal = 0; ///< As in the file
    Address address = 0;
    Bytes totalSize = 0;
    Bytes allocatedSize = -1; ///< As stated in the file; −1 if not stated
    Bytes activeSize = -1;
    Bytes requestedSize = -1;
    StreamId stream;
    PoolId pool;
    SegmentType type = SegmentType::Unknown;
    bool expandable = false;
    StackId stack;
    RowRange blocks; ///< In address order
};

/// Blocks as columns of equal length: a snapshot may contain a million.
class BlockTable
{
public:
    using Iterator = IndexIterator<BlockTable>;

    void push_back(const Block& block);
    void set(std::size_t row, const Block& block);
    Block operator[](std::size_t row) const
    {
        return {m_address[row], m_size[row], m_requestedSize[row], m_state[row], m_stack[row],
            m_category.get(row), m_historyEntries.get(row)};
    }
    /// Reading a single column costs a fifth of reading the whole block.
    Address address(std::size_t row) const { return m_address[row]; }
    Bytes requestedSize(std::size_t row) const { return m_requestedSize[row]; }
    StackId stack(std::size_t row) const { return m_stack[row]; }
    StringId category(std::size_t row) const { return m_category.get(row); }
    /// Returns the first of these rows whose block has at least this address; `rows.last` if there is none.
    /// `rows` are the blocks of one segment. O(log(rows)).
    std::uint32_t firstFrom(Address address, RowRange rows) const;
    std::size_t size() const { return m_state.size(); }
    std::size_t memoryBytes() const;
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    PackedColumn<Address> m_address;
    PackedColumn<Bytes> m_size;
    PackedColumn<Bytes> m_requestedSize;
    Column<BlockState> m_state;
    PackedColumn<StackId> m_stack;
    SparseColumn<StringId> m_category;
    SparseColumn<std::uint32_t> m_historyEntries;
};

/// The blocks of one segment, by address.
using BlockRange = IndexRange<BlockTable>;

/// Segments as columns of equal length: a snapshot may contain hundreds of thousands.
class SegmentRows
{
public:
    using Iterator = IndexIterator<SegmentRows>;

    void push_back(const Segment& segment);
    void set(std::size_t row, const Segment& segment);
    Segment operator[](std::size_t row) const;
    /// Reading a single column costs a tenth of reading the whole segment.
    Address address(std::size_t row) const { return m_address[row]; }
    Bytes totalSize(std::size_t row) const { return m_totalSize[row]; }
    StreamId stream(std::size_t row) const { return m_stream[row]; }
    PoolId pool(std::size_t row) const { return m_pool[row]; }
    RowRange blocks(std::size_t row) const { return {m_firstBlock[row], m_lastBlock[row]}; }
    std::size_t size() const { return m_type.size(); }
    bool empty() const { return size() == 0; }
    std::size_t memoryBytes() const;
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    PackedColumn<std::int64_t> m_deviceOrdinal;
    PackedColumn<Address> m_address;
    PackedColumn<Bytes> m_totalSize;
    PackedColumn<Bytes> m_allocatedSize;
    PackedColumn<Bytes> m_activeSize;
    PackedColumn<Bytes> m_requestedSize;
    PackedColumn<StreamId> m_stream;
    PackedColumn<PoolId> m_pool;
    Column<SegmentType> m_type;
    Column<bool> m_expandable;
    PackedColumn<StackId> m_stack;
    PackedColumn<std::uint32_t> m_firstBlock;
    PackedColumn<std::uint32_t> m_lastBlock; ///< One past the last block
};

/// The segments of one device, in file order.
using SegmentRange = IndexRange<SegmentRows>;

/// All segments, grouped by device (`Device::segments`) and in file order within a device, and all their
/// blocks.
struct SegmentTable
{
    SegmentRows segments;
    BlockTable blocks;

    SegmentRange rows(RowRange range) const { return {segments, range.first, range.last}; }
    BlockRange blocksOf(const Segment& segment) const
    {
        return {blocks, segment.blocks.first, segment.blocks.last};
    }
};

} // namespace highwater
