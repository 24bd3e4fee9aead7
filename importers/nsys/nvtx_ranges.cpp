#include "importers/nsys/nvtx_ranges.h"

#include <algorithm>
#include <limits>

#include "core/base/hash.h"
#include "importers/nsys/nvtx_name.h"

namespace highwater::nsys {

namespace {

/// Most operators shown if there are no memory rows to relate them to; enough to fill any screen.
constexpr std::size_t kMaxOperatorsShown = 500'000;

// Values of ENUM_NSYS_EVENT_TYPE. The imported ones come from text files of NVTX events.
constexpr std::int64_t kMark = 34;
constexpr std::int64_t kPushPop = 59;
constexpr std::int64_t kStartEnd = 60;
constexpr std::int64_t kImportedPushPop = 70;
constexpr std::int64_t kImportedStartEnd = 71;

struct RangeColumn
{
    enum : int
    {
        Start,
        End,
        Type,
        Text,
        TextId,
        Thread,
        Int64,
        Uint64,
        Int32,
        Uint32
    };
};

/// True for ranges that are pushed and popped on one thread.
bool isNesting(std::int64_t type)
{
    return type == kPushPop || type == kImportedPushPop;
}

bool isRangeOrMark(std::int64_t type)
{
    return type == kMark || type == kStartEnd || type == kImportedStartEnd || isNesting(type);
}

struct InternedName
{
    StringId name;
    bool isOperator = false;
};

class RangeReader
{
public:
    RangeReader(
        Database& database, Nanoseconds offset, const std::vector<MemoryRow>& rows, StringPool& strings)
        : m_database(database)
        , m_offset(offset)
        , m_rows(rows)
        , m_strings(strings)
        , m_texts(database)
    {
    }

    NvtxRanges readRanges()
    {
        TableScan table(m_database, "NVTX_EVENTS",
            {"start", "end", "eventType", "text", "textId", "globalTid", "int64Value", "uint64Value",
                "int32Value", "uint32Value"});
        while (table.next())
            if (table.isInteger(RangeColumn::Start) && isRangeOrMark(table.integer(RangeColumn::Type)))
                readRange(table);
        closeOpenRanges();
        return std::move(m_result);
    }

private:
    void readRange(const TableScan& table)
    {
        const InternedName name = nameOf(table);
        NvtxRange range;
        range.begin = table.integer(RangeColumn::Start) + m_offset;
        range.isOpen = table.isNull(RangeColumn::End) && table.integer(RangeColumn::Type) != kMark;
        range.end = table.isNull(RangeColumn::End) ? range.begin : table.integer(RangeColumn::End) + m_offset;
        range.end = range.isOpen ? std::numeric_limits<Nanoseconds>::max() : std::max(range.begin, range.end);
        range.thread = table.integer(RangeColumn::Thread);
        range.name = name.name;
        range.isOperator = name.isOperator;
        range.nests = isNesting(table.integer(RangeColumn::Type));
        m_lastTime = std::max(m_lastTime, range.isOpen ? range.begin : range.end);
        m_result.operatorCount += range.isOperator;
        if (mayKeep(range) && m_database.countMemory(sizeof(NvtxRange) + sizeof(Span)))
            m_result.ranges.push_back(range);
    }

    /// Returns true for a range that can be visible. Counts the operators kept and left out.
    bool mayKeep(const NvtxRange& range)
    {
        if (!range.isOperator)
            return true;
        if (!m_rows.empty())
            return enclosesMemoryRow(range);
        const bool isWithinLimit = ++m_operatorsKept <= kMaxOperatorsShown;
        m_result.leftOutOperatorCount += !isWithinLimit;
        return isWithinLimit;
    }

    bool enclosesMemoryRow(const NvtxRange& range) const
    {
        const auto row = std::ranges::lower_bound(m_rows, range.begin, {}, &MemoryRow::time);
        return row != m_rows.end() && row->time <= range.end;
    }

    InternedName nameOf(const TableScan& table)
    {
        const std::optional<std::int64_t> payload = payloadOf(table);
        if (!table.isNull(RangeColumn::Text))
            return interned(nvtxName(table.text(RangeColumn::Text), payload));
        if (payload)
            return interned(nvtxName(m_texts.find(table.integer(RangeColumn::TextId)), payload));
        const auto [found, isNew] = m_registered.try_emplace(table.integer(RangeColumn::TextId));
        if (isNew)
            found.value() = interned(nvtxName(m_texts.find(table.integer(RangeColumn::TextId))));
        return found->second;
    }

    static std::optional<std::int64_t> payloadOf(const TableScan& table)
    {
        for (const int column :
            {RangeColumn::Int64, RangeColumn::Uint64, RangeColumn::Int32, RangeColumn::Uint32})
            if (const std::optional<std::int64_t> value = table.optionalInteger(column))
                return value;
        return std::nullopt;
    }

    InternedName interned(const NvtxName& name)
    {
        const std::size_t bytesBefore = m_strings.memoryBytes();
        const InternedName internedName{m_strings.intern(name.text), name.isOperator};
        m_database.countMemory(m_strings.memoryBytes() - bytesBefore);
        return internedName;
    }

    void closeOpenRanges()
    {
        if (!m_rows.empty())
            m_lastTime = std::max(m_lastTime, m_rows.back().time);
        for (NvtxRange& range : m_result.ranges)
            if (range.isOpen)
                range.end = std::max(range.begin, m_lastTime);
    }

    Database& m_database;
    Nanoseconds m_offset;
    const std::vector<MemoryRow>& m_rows;
    StringPool& m_strings;
    StringLookup m_texts;
    NumberMap<std::int64_t, InternedName> m_registered;
    std::size_t m_operatorsKept = 0;
    Nanoseconds m_lastTime = std::numeric_limits<Nanoseconds>::min();
    NvtxRanges m_result;
};

} // namespace

NvtxRanges readNvtxRanges(
    Database& database, Nanoseconds offset, const std::vector<MemoryRow>& rows, StringPool& strings)
{
    return RangeReader(database, offset, rows, strings).readRanges();
}

} // namespace highwater::nsys
