#include "importers/pytorch_snapshot/record_store.h"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {

namespace {
constexpr std::uint16_t kMaxStoreDepth = 64;
}

Value RecordStore::add(ObjectType type)
{
    m_containers.emplace_back();
    return Value::object(code(type), static_cast<std::uint32_t>(m_containers.size() - 1));
}

Result<void> RecordStore::append(std::uint32_t index, std::span<const Value> items)
{
    std::uint16_t depth = m_containers[index].depth;
    for (const Value& item : items)
        if (is(item, ObjectType::GenericList) || is(item, ObjectType::GenericDict))
            depth = std::max<std::uint16_t>(
                depth, static_cast<std::uint16_t>(m_containers[item.index].depth + 1));
    if (depth > kMaxStoreDepth)
        return fail(ErrorCode::LimitExceeded,
            fmt::format("is nested deeper than {} levels, unlike any snapshot", kMaxStoreDepth));
    Container& container = m_containers[index];
    container.depth = depth;
    container.items.insert(container.items.end(), items.begin(), items.end());
    m_itemCount += items.size();
    return {};
}

Value RecordStore::addRowList(std::uint8_t listType)
{
    m_rowLists.emplace_back();
    return Value::object(listType, static_cast<std::uint32_t>(m_rowLists.size() - 1));
}

void RecordStore::appendRow(std::uint32_t list, std::uint32_t row)
{
    std::vector<RowRange>& ranges = m_rowLists[list];
    if (!ranges.empty() && ranges.back().last == row)
        ++ranges.back().last;
    else
        ranges.push_back({row, row + 1});
}

std::size_t RecordStore::memoryBytes() const
{
    return m_containers.size() * sizeof(Container) + m_itemCount * sizeof(Value)
        + m_rowLists.size() * (sizeof(m_rowLists[0]) + sizeof(RowRange));
}

} // namespace highwater
