#include "importers/cupti_text/printed_record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text_parts.h"
#include "importers/cupti_text/record_text.h"

namespace highwater::cupti_text {

namespace {

constexpr std::uint64_t kLatestTime = std::uint64_t{1} << 62;

} // namespace

/// The fields of a record. The sample program changed their names between versions.
enum class PrintedRecord::Field : std::uint8_t
{
    Operation,
    PoolOperation,
    MemoryKind,
    Address,
    Size,
    Device,
    Context,
    Process,
    Correlation,
    Stream,
    PoolAddress,
    PoolSize,
    Utilized,
    Other, ///< part of a record, but not needed
};

std::optional<PrintedRecord::Field> PrintedRecord::fieldOf(std::string_view name)
{
    static constexpr std::array<std::pair<std::string_view, Field>, 28> kFields = {{
        {"memoryOperationType", Field::Operation},
        {"memoryPoolOperationType", Field::PoolOperation},
        {"memoryPoolOperation", Field::PoolOperation},
        {"memoryKind", Field::MemoryKind},
        {"address", Field::Address},
        {"size", Field::Size},
        {"devId", Field::Device},
        {"deviceId", Field::Device},
        {"ctxId", Field::Context},
        {"contextId", Field::Context},
        {"procId", Field::Process},
        {"processId", Field::Process},
        {"corrId", Field::Correlation},
        {"correlationId", Field::Correlation},
        {"streamId", Field::Stream},
        {"memoryPoolAddress", Field::PoolAddress},
        {"memoryPoolSize", Field::PoolSize},
        {"memoryPoolUtilizedSize", Field::Utilized},
        {"utilizedSize", Field::Utilized},
        {"pc", Field::Other},
        {"isAsync", Field::Other},
        {"memoryPool", Field::Other},
        {"memoryPoolType", Field::Other},
        {"memoryPoolThreshold", Field::Other},
        {"memoryPoolProcessId", Field::Other},
        {"releaseThreshold", Field::Other},
        {"minBytesToKeep", Field::Other},
        {"source", Field::Other},
    }};
    const auto found
        = std::ranges::find_if(kFields, [name](const auto& field) { return field.first == name; });
    return found == kFields.end() ? std::nullopt : std::optional(found->second);
}

RecordStart readRecordStart(std::string_view line)
{
    line = trimmed(line);
    RecordStart start;
    for (const auto& [word, kind] : {std::pair(std::string_view("MEMORY2 ["), RecordKind::Memory),
             std::pair(std::string_view("MEMORY_POOL ["), RecordKind::Pool)}) {
        const std::size_t close = line.starts_with(word) ? line.find(']') : std::string_view::npos;
        if (close == std::string_view::npos)
            continue;
        const std::optional<std::uint64_t> time
            = wholeNumber(trimmed(line.substr(word.size(), close - word.size())));
        if (time && *time <= kLatestTime)
            start = {kind, static_cast<Nanoseconds>(*time), line.substr(close + 1)};
    }
    return start;
}

PrintedRecord::PrintedRecord(const RecordStart& start, std::uint64_t line)
    : m_kind(start.kind)
    , m_line(line)
{
    m_row.time = start.time;
    parseFields(start.fields);
}

bool PrintedRecord::parseFields(std::string_view fields)
{
    bool hasFields = false;
    while (!fields.empty()) {
        const std::size_t comma = std::min(fields.find(','), fields.size());
        const std::string_view part = trimmed(fields.substr(0, comma));
        fields.remove_prefix(std::min(comma + 1, fields.size()));
        if (part.empty())
            continue;
        const std::size_t end = std::min(part.find_first_of(" :"), part.size());
        const std::optional<Field> field = fieldOf(part.substr(0, end));
        if (!field && !hasFields)
            return false;
        hasFields = true;
        const std::string_view value = part.substr(end);
        if (field)
            setField(*field, trimmed(value.starts_with(':') ? value.substr(1) : value));
    }
    return hasFields;
}

void PrintedRecord::appendTo(RecordList& list) const
{
    if (m_kind == RecordKind::Pool && m_hasAddress)
        list.pools.push_back({m_row.time, m_row.process, m_row.device, m_row.address, m_bytes,
            m_row.poolUtilized, m_poolIsGone});
    else if (m_kind == RecordKind::Memory && m_hasOperation && m_hasAddress && m_bytes)
        list.rows.push_back(m_row);
    else
        list.countUnreadable(m_line);
}

void PrintedRecord::setField(Field field, std::string_view value)
{
    switch (field) {
    case Field::Operation: setOperation(value); return;
    case Field::PoolOperation: m_poolIsGone = contains(value, "DESTROYED"); return;
    case Field::MemoryKind: m_row.kind = kindOfWord(value); return;
    case Field::Other: return;
    default: break;
    }
    if (const std::optional<std::uint64_t> number = wholeNumber(value))
        setNumber(field, *number);
}

void PrintedRecord::setOperation(std::string_view value)
{
    const std::optional<bool> release = isReleaseWord(value);
    m_hasOperation = release.has_value();
    m_row.isFree = release.value_or(false);
}

void PrintedRecord::setNumber(Field field, std::uint64_t number)
{
    const auto value = static_cast<std::int64_t>(number);
    const std::optional<Bytes> bytes
        = number <= static_cast<std::uint64_t>(kLargestStoredSize) ? std::optional(value) : std::nullopt;
    switch (field) {
    case Field::Address:
        m_row.address = number;
        m_hasAddress = true;
        return;
    case Field::Size:
        m_row.bytes = bytes.value_or(0);
        m_bytes = bytes;
        return;
    case Field::Device: m_row.device = value; return;
    case Field::Context: m_row.context = value; return;
    case Field::Process: m_row.process = value; return;
    case Field::Correlation: m_row.correlation = value; return;
    case Field::Stream:
        m_row.stream = value;
        m_row.hasStream = true;
        return;
    case Field::PoolAddress: m_row.pool = number; return;
    case Field::PoolSize: m_row.poolSize = bytes; return;
    case Field::Utilized: m_row.poolUtilized = bytes; return;
    default: return;
    }
}

} // namespace highwater::cupti_text
