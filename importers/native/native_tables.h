#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "core/trace/trace.h"

/// The small tables of Highwater's own file. A section holds the columns of its table one after the other
/// (native_format.h).
namespace highwater::native {

/// The fields of a row in the order of their columns.
inline constexpr std::tuple kFrameColumns{
    &Frame::function, &Frame::file, &Frame::line, &Frame::kind, &Frame::details};
inline constexpr auto kFirstBlock = [](auto& segment) -> auto&
{
    return segment.blocks.first;
};
inline constexpr auto kLastBlock = [](auto& segment) -> auto&
{
    return segment.blocks.last;
};
inline constexpr std::tuple kSegmentColumns{&Segment::deviceOrdinal, &Segment::address, &Segment::totalSize,
    &Segment::allocatedSize, &Segment::activeSize, &Segment::requestedSize, &Segment::stream, &Segment::pool,
    &Segment::type, &Segment::expandable, &Segment::stack, kFirstBlock, kLastBlock};
inline constexpr std::tuple kBlockColumns{&Block::address, &Block::size, &Block::requestedSize, &Block::state,
    &Block::stack, &Block::historyEntries};
inline constexpr std::tuple kSpanColumns{&Span::kind, &Span::name, &Span::deviceOrdinal, &Span::begin,
    &Span::end, &Span::beginMissing, &Span::endMissing, &Span::depth};
/// The columns of the activity table, which is stored in columns in memory, too.
inline constexpr std::tuple kActivityColumns{&ActivityTable::kind, &ActivityTable::name,
    &ActivityTable::device, &ActivityTable::lane, &ActivityTable::begin, &ActivityTable::end,
    &ActivityTable::bytes};

/// The last value of each enumeration. A larger number in a file is read as this value.
inline constexpr std::tuple kLastValues{FrameKind::Native, SegmentType::Large, BlockState::Inactive,
    SpanKind::Operator, ActivityKind::RuntimeCall};

/// Decodes a value; a flag or number of an enumeration may be anything in a damaged file.
template <typename T>
T valueAt(const char* bytes)
{
    if constexpr (std::is_same_v<T, bool>) {
        return *bytes != 0;
    } else {
        T value;
        std::memcpy(&value, bytes, sizeof value);
        if constexpr (std::is_enum_v<T>)
            value = std::min(value, std::get<T>(kLastValues));
        return value;
    }
}

/// Appends one field of every row.
template <typename Rows, typename Field>
void appendColumn(std::string& out, const Rows& rows, Field field)
{
    for (const auto& row : rows) {
        const auto& value = std::invoke(field, row);
        out.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
}

/// Removes one field of every row from the front of the bytes, which must be long enough.
template <typename Rows, typename Field>
void takeColumn(std::string_view& bytes, Rows& rows, Field field)
{
    for (auto& row : rows) {
        auto& value = std::invoke(field, row);
        value = valueAt<std::remove_reference_t<decltype(value)>>(bytes.data());
        bytes.remove_prefix(sizeof value);
    }
}

/// Returns the columns of a table one after the other.
template <typename Rows, typename... Fields>
std::string tableBytes(const Rows& rows, const std::tuple<Fields...>& fields)
{
    using Row = std::remove_reference_t<decltype(rows[0])>;
    std::string out;
    out.reserve(rows.size() * (sizeof(std::invoke_result_t<Fields, Row&>) + ...));
    std::apply([&](auto... field) { (appendColumn(out, rows, field), ...); }, fields);
    return out;
}

/// Reads all columns of a table. Returns false if the bytes are not complete rows. Ids in the rows are
/// checked later (`firstProblem`).
template <typename Rows, typename... Fields>
bool fillTable(std::string_view bytes, Rows& rows, const std::tuple<Fields...>& fields)
{
    using Row = std::remove_reference_t<decltype(rows[0])>;
    constexpr std::size_t rowBytes = (sizeof(std::invoke_result_t<Fields, Row&>) + ...);
    rows.resize(bytes.size() / rowBytes);
    std::apply([&](auto... field) { (takeColumn(bytes, rows, field), ...); }, fields);
    return bytes.empty();
}

/// Reads a field from its own section, which is absent if no row has this field. Returns false if the
/// section's size does not fit the rows.
template <typename Rows, typename Field>
bool fillColumn(std::string_view bytes, Rows& rows, Field field)
{
    if (bytes.empty())
        return true;
    if (bytes.size() != rows.size() * sizeof(std::invoke(field, rows[0])))
        return false;
    takeColumn(bytes, rows, field);
    return true;
}

/// Reads the activity table. Returns false if the bytes are not complete rows.
inline bool fillActivities(std::string_view bytes, ActivityTable& table)
{
    return std::apply(
        [&](auto... column) {
            const std::size_t rowCount = bytes.size() / (sizeof((table.*column)[0]) + ...);
            ((table.*column).resize(rowCount), ...);
            (takeColumn(bytes, table.*column, std::identity()), ...);
            return bytes.empty();
        },
        kActivityColumns);
}

} // namespace highwater::native
