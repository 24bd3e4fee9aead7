#include "core/trace/segment_table.h"

#include <algorithm>

namespace highwater {

void BlockTable::push_back(const Block& block)
{
    const std::size_t row = size();
    m_address.push_back(block.address);
    m_size.push_back(block.size);
    m_requestedSize.push_back(block.requestedSize);
    m_state.push_back(block.state);
    m_stack.push_back(block.stack);
    m_category.set(row, block.category);
    m_historyEntries.set(row, block.historyEntries);
}

void BlockTable::set(std::size_t row, const Block& block)
{
    m_address.set(row, block.address);
    m_size.set(row, block.size);
    m_requestedSize.set(row, block.requestedSize);
    m_state[row] = block.state;
    m_stack.set(row, block.stack);
    m_category.set(row, block.category);
    m_historyEntries.set(row, block.historyEntries);
}

std::uint32_t BlockTable::firstFrom(Address address, RowRange rows) const
{
    const auto found
        = std::lower_bound(m_address.begin() + rows.first, m_address.begin() + rows.last, address);
    return static_cast<std::uint32_t>(found - m_address.begin());
}

std::size_t BlockTable::memoryBytes() const
{
    return m_address.memoryBytes() + m_size.memoryBytes() + m_requestedSize.memoryBytes()
        + m_state.memoryBytes() + m_stack.memoryBytes() + m_category.memoryBytes()
        + m_historyEntries.memoryBytes();
}

void SegmentRows::push_back(const Segment& segment)
{
    m_deviceOrdinal.push_back(segment.deviceOrdinal);
    m_address.push_back(segment.address);
    m_totalSize.push_back(segment.totalSize);
    m_allocatedSize.push_back(segment.allocatedSize);
    m_activeSize.push_back(segment.activeSize);
    m_requestedSize.push_back(segment.requestedSize);
    m_stream.push_back(segment.stream);
    m_pool.push_back(segment.pool);
    m_type.push_back(segment.type);
    m_expandable.push_back(segment.expandable);
    m_stack.push_back(segment.stack);
    m_firstBlock.push_back(segment.blocks.first);
    m_lastBlock.push_back(segment.blocks.last);
}

void SegmentRows::set(std::size_t row, const Segment& segment)
{
    m_deviceOrdinal.set(row, segment.deviceOrdinal);
    m_address.set(row, segment.address);
    m_totalSize.set(row, segment.totalSize);
    m_allocatedSize.set(row, segment.allocatedSize);
    m_activeSize.set(row, segment.activeSize);
    m_requestedSize.set(row, segment.requestedSize);
    m_stream.set(row, segment.stream);
    m_pool.set(row, segment.pool);
    m_type[row] = segment.type;
    m_expandable[row] = segment.expandable;
    m_stack.set(row, segment.stack);
    m_firstBlock.set(row, segment.blocks.first);
    m_lastBlock.set(row, segment.blocks.last);
}

Segment SegmentRows::operator[](std::size_t row) const
{
    return {m_deviceOrdinal[row], m_address[row], m_totalSize[row], m_allocatedSize[row], m_activeSize[row],
        m_requestedSize[row], m_stream[row], m_pool[row], m_type[row], m_expandable[row], m_stack[row],
        blocks(row)};
}

std::size_t SegmentRows::memoryBytes() const
{
    return m_deviceOrdinal.memoryBytes() + m_address.memoryBytes() + m_totalSize.memoryBytes()
        + m_allocatedSize.memoryBytes() + m_activeSize.memoryBytes() + m_requestedSize.memoryBytes()
        + m_stream.memoryBytes() + m_pool.memoryBytes() + m_type.memoryBytes() + m_expandable.memoryBytes()
        + m_stack.memoryBytes() + m_firstBlock.memoryBytes() + m_lastBlock.memoryBytes();
}

} // namespace highwater
