#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "importers/cupti_text/record_list.h"

namespace highwater::cupti_text {

/// The kind of a printed record.
enum class RecordKind : std::uint8_t
{
    None,
    Memory,
    Pool,
};

/// The beginning of a record: "MEMORY2 [ 1234 ] memoryOperationType …", "MEMORY_POOL [ 1234 ] …".
struct RecordStart
{
    RecordKind kind = RecordKind::None; ///< None if the line begins no record, or a record without a time
    Nanoseconds time = 0;
    std::string_view fields; ///< the rest of the line, as a view into it
};

/// Returns the record that the line begins, if it does.
RecordStart readRecordStart(std::string_view line);

/// One record, assembled line by line.
class PrintedRecord
{
public:
    PrintedRecord(const RecordStart& start, std::uint64_t line);

    /// Parses "name value" or "name: value" pairs, separated by commas; ignores unknown names after the
    /// first. Returns false, without any change, if there is no pair or the first name is not a field of a
    /// record.
    bool parseFields(std::string_view fields);
    /// Appends the record to the list's rows or pools, or counts it as unreadable.
    void appendTo(RecordList& list) const;

private:
    enum class Field : std::uint8_t;

    static std::optional<Field> fieldOf(std::string_view name);
    void setField(Field field, std::string_view value);
    void setOperation(std::string_view value);
    void setNumber(Field field, std::uint64_t number);

    RecordKind m_kind;
    std::uint64_t m_line;
    nsys::MemoryRow m_row;
    std::optional<Bytes> m_bytes;
    bool m_poolIsGone = false;
    bool m_hasOperation = false;
    bool m_hasAddress = false;
};

} // namespace highwater::cupti_text
