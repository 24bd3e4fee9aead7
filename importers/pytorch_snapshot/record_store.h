#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/trace/segment_table.h"
#include "importers/pickle/value.h"

namespace highwater {

/// Type of an object in a snapshot, in `Value::type`. Each comment names the table that `Value::index` refers
/// to.
enum class ObjectType : std::uint8_t
{
    EmptyList, ///< –
    EmptyDict, ///< –
    GenericList, ///< RecordStore::container
    GenericDict, ///< RecordStore::container
    Frame, ///< StackTable frames
    Stack, ///< StackTable stacks
    Pool, ///< Trace::pools
    // For each table: one of its rows, and a list of its rows (RecordStore::rows).
    EventRow,
    EventList,
    BlockRow,
    BlockList,
    SegmentRow,
    SegmentList,
    AnnotationRow,
    AnnotationList,
    HistoryRow,
    HistoryList,
};

constexpr std::uint8_t code(ObjectType type)
{
    return static_cast<std::uint8_t>(type);
}
inline bool is(const Value& value, ObjectType type)
{
    return value.isObject(code(type));
}
constexpr bool isRow(std::uint8_t type)
{
    return type >= code(ObjectType::EventRow) && (type - code(ObjectType::EventRow)) % 2 == 0;
}

/// Stores containers that are incomplete or of no known kind as they are in the file, and lists of rows as
/// ranges.
class RecordStore
{
public:
    struct Container
    {
        std::vector<Value> items; ///< for a dict: key, value, key, value, …
        std::uint16_t depth = 1; ///< levels of containers, this one included
        bool isSettled = false; ///< true once `meaning` has been determined
        Value meaning; ///< the row or stack that the container turned out to be, or itself
    };

    /// Creates an empty GenericList or GenericDict.
    Value add(ObjectType type);
    /// Appends items to a container. Fails with LimitExceeded if containers are then nested deeper than 64
    /// levels.
    Result<void> append(std::uint32_t container, std::span<const Value> items);
    Container& container(std::uint32_t index) { return m_containers[index]; }
    const Container& container(std::uint32_t index) const { return m_containers[index]; }

    /// Creates a list of rows of one table, stored as ranges. A row that follows the last range extends it.
    Value addRowList(std::uint8_t listType);
    void appendRow(std::uint32_t list, std::uint32_t row);
    const std::vector<RowRange>& rows(std::uint32_t list) const { return m_rowLists[list]; }

    std::size_t memoryBytes() const;

private:
    std::vector<Container> m_containers;
    std::vector<std::vector<RowRange>> m_rowLists;
    std::size_t m_itemCount = 0;
};

} // namespace highwater
