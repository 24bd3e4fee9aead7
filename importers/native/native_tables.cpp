#include "importers/native/native_tables.h"

#include <algorithm>

namespace highwater::native {

bool fillSegments(std::string_view bytes, SegmentTable& segments)
{
    TableReader table(bytes, 70);
    std::vector<Segment>& rows = segments.segments;
    rows.resize(table.rows());
    table.column<std::int64_t>([&](std::size_t row, std::int64_t v) { rows[row].deviceOrdinal = v; });
    table.column<Address>([&](std::size_t row, Address v) { rows[row].address = v; });
    table.column<Bytes>([&](std::size_t row, Bytes v) { rows[row].totalSize = v; });
    table.column<Bytes>([&](std::size_t row, Bytes v) { rows[row].allocatedSize = v; });
    table.column<Bytes>([&](std::size_t row, Bytes v) { rows[row].activeSize = v; });
    table.column<Bytes>([&](std::size_t row, Bytes v) { rows[row].requestedSize = v; });
    table.column<std::uint32_t>([&](std::size_t row, std::uint32_t v) { rows[row].stream = StreamId(v); });
    table.column<std::uint32_t>([&](std::size_t row, std::uint32_t v) { rows[row].pool = PoolId(v); });
    table.column<std::uint8_t>([&](std::size_t row, std::uint8_t v) {
        rows[row].type = static_cast<SegmentType>(std::min<std::uint8_t>(v, 2));
    });
    table.column<std::uint8_t>([&](std::size_t row, std::uint8_t v) { rows[row].expandable = v != 0; });
    table.column<std::uint32_t>([&](std::size_t row, std::uint32_t v) { rows[row].stack = StackId(v); });
    table.column<std::uint32_t>([&](std::size_t row, std::uint32_t v) { rows[row].blocks.first = v; });
    table.column<std::uint32_t>([&](std::size_t row, std::uint32_t v) { rows[row].blocks.last = v; });
    return table.isWhole();
}

bool fillBlocks(std::string_view bytes, SegmentTable& segments)
{
    TableReader table(bytes, 33);
    Column<Block>& rows = segments.blocks;
    rows.resize(table.rows());
    table.column<Address>([&](std::size_t row, Address v) { rows[row].address = v; });
    table.column<Bytes>([&](std::size_t row, Bytes v) { rows[row].size = v; });
    table.column<Bytes>([&](std::size_t row, Bytes v) { rows[row].requestedSize = v; });
    table.column<std::uint8_t>([&](std::size_t row, std::uint8_t v) {
        rows[row].state = static_cast<BlockState>(std::min<std::uint8_t>(v, 2));
    });
    table.column<std::uint32_t>([&](std::size_t row, std::uint32_t v) { rows[row].stack = StackId(v); });
    table.column<std::uint32_t>([&](std::size_t row, std::uint32_t v) { rows[row].historyEntries = v; });
    return table.isWhole();
}

bool fillBlockCategories(std::string_view bytes, SegmentTable& segments)
{
    TableReader table(bytes, 4);
    Column<Block>& rows = segments.blocks;
    table.column<std::uint32_t>([&](std::size_t row, std::uint32_t v) {
        if (row < rows.size())
            rows[row].category = StringId(v);
    });
    return table.isWhole() && (table.rows() == 0 || table.rows() == rows.size());
}

bool fillActivities(std::string_view bytes, ActivityTable& rows)
{
    TableReader table(bytes, 41);
    table.column<std::uint8_t>([&](std::size_t, std::uint8_t v) {
        rows.kind.push_back(static_cast<ActivityKind>(std::min<std::uint8_t>(v, 3)));
    });
    table.column<std::uint32_t>([&](std::size_t, std::uint32_t v) { rows.name.push_back(StringId(v)); });
    table.column<std::int32_t>([&](std::size_t, std::int32_t v) { rows.device.push_back(v); });
    table.column<std::int64_t>([&](std::size_t, std::int64_t v) { rows.lane.push_back(v); });
    table.column<Nanoseconds>([&](std::size_t, Nanoseconds v) { rows.begin.push_back(v); });
    table.column<Nanoseconds>([&](std::size_t, Nanoseconds v) { rows.end.push_back(v); });
    table.column<Bytes>([&](std::size_t, Bytes v) { rows.bytes.push_back(v); });
    return table.isWhole();
}

bool fillSpans(std::string_view bytes, std::vector<Span>& rows)
{
    TableReader table(bytes, 33);
    rows.resize(table.rows());
    table.column<std::uint8_t>([&](std::size_t row, std::uint8_t v) {
        rows[row].kind = static_cast<SpanKind>(std::min(v, static_cast<std::uint8_t>(SpanKind::Operator)));
    });
    table.column<std::uint32_t>([&](std::size_t row, std::uint32_t v) { rows[row].name = StringId(v); });
    table.column<std::int64_t>([&](std::size_t row, std::int64_t v) { rows[row].deviceOrdinal = v; });
    table.column<Nanoseconds>([&](std::size_t row, Nanoseconds v) { rows[row].begin = v; });
    table.column<Nanoseconds>([&](std::size_t row, Nanoseconds v) { rows[row].end = v; });
    table.column<std::uint8_t>([&](std::size_t row, std::uint8_t v) { rows[row].beginMissing = v != 0; });
    table.column<std::uint8_t>([&](std::size_t row, std::uint8_t v) { rows[row].endMissing = v != 0; });
    table.column<std::uint16_t>([&](std::size_t row, std::uint16_t v) { rows[row].depth = v; });
    return table.isWhole();
}

bool fillSpanProcesses(std::string_view bytes, std::vector<Span>& rows)
{
    TableReader table(bytes, 8);
    table.column<std::int64_t>([&](std::size_t row, std::int64_t v) {
        if (row < rows.size())
            rows[row].process = v;
    });
    return table.isWhole() && (table.rows() == 0 || table.rows() == rows.size());
}

} // namespace highwater::native
