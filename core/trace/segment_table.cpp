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

} // namespace highwater
