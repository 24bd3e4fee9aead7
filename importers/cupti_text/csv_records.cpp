#include "importers/cupti_text/csv_records.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text_parts.h"
#include "importers/cupti_text/end_watch.h"
#include "importers/cupti_text/record_text.h"
#include "importers/log/text/line_source.h"
#include "importers/source/limit_error.h"

namespace highwater::cupti_text {

namespace {

enum class CsvColumn : std::uint8_t
{
    Time,
    Operation,
    Address,
    Size,
    Kind,
    Device,
    Context,
    Stream,
    Process,
    Correlation,
    Pool,
    PoolSize,
    Utilized,
    Other,
};

/// Column names in lower case, without blanks and punctuation.
constexpr std::array<std::pair<std::string_view, CsvColumn>, 43> kColumns = {{
    {"timestamp", CsvColumn::Time},
    {"timestampns", CsvColumn::Time},
    {"start", CsvColumn::Time},
    {"startns", CsvColumn::Time},
    {"time", CsvColumn::Time},
    {"timens", CsvColumn::Time},
    {"operation", CsvColumn::Operation},
    {"memoryoperationtype", CsvColumn::Operation},
    {"memoryoperation", CsvColumn::Operation},
    {"operationtype", CsvColumn::Operation},
    {"op", CsvColumn::Operation},
    {"action", CsvColumn::Operation},
    {"address", CsvColumn::Address},
    {"addr", CsvColumn::Address},
    {"ptr", CsvColumn::Address},
    {"pointer", CsvColumn::Address},
    {"bytes", CsvColumn::Size},
    {"size", CsvColumn::Size},
    {"sizebytes", CsvColumn::Size},
    {"numbytes", CsvColumn::Size},
    {"kind", CsvColumn::Kind},
    {"memorykind", CsvColumn::Kind},
    {"memkind", CsvColumn::Kind},
    {"device", CsvColumn::Device},
    {"deviceid", CsvColumn::Device},
    {"devid", CsvColumn::Device},
    {"contextid", CsvColumn::Context},
    {"context", CsvColumn::Context},
    {"ctxid", CsvColumn::Context},
    {"streamid", CsvColumn::Stream},
    {"stream", CsvColumn::Stream},
    {"processid", CsvColumn::Process},
    {"procid", CsvColumn::Process},
    {"pid", CsvColumn::Process},
    {"correlationid", CsvColumn::Correlation},
    {"corrid", CsvColumn::Correlation},
    {"memorypooladdress", CsvColumn::Pool},
    {"localmemorypooladdress", CsvColumn::Pool},
    {"memorypoolsize", CsvColumn::PoolSize},
    {"localmemorypoolsize", CsvColumn::PoolSize},
    {"memorypoolutilizedsize", CsvColumn::Utilized},
    {"localmemorypoolutilizedsize", CsvColumn::Utilized},
    {"utilizedsize", CsvColumn::Utilized},
}};

constexpr std::array kSeparators = {',', ';', '\t'};

/// Returns CsvColumn::Other for an unknown name.
CsvColumn columnOf(std::string_view name)
{
    const std::string plainName = plainWord(name);
    const auto found
        = std::ranges::find_if(kColumns, [&](const auto& column) { return column.first == plainName; });
    return found == kColumns.end() ? CsvColumn::Other : found->second;
}

/// Splits a line into cells. Removes the quotes around a cell; separators between quotes do not split.
std::vector<std::string_view> splitCells(std::string_view line, char separator)
{
    std::vector<std::string_view> cells;
    bool hasMoreCells = true;
    while (hasMoreCells) {
        const std::string_view unindented = line.substr(std::min(line.find_first_not_of(' '), line.size()));
        const std::size_t quoted
            = unindented.starts_with('"') ? unindented.find('"', 1) : std::string_view::npos;
        const std::size_t cellEnd
            = quoted == std::string_view::npos ? 0 : (line.size() - unindented.size()) + quoted + 1;
        const std::size_t end = line.find(separator, cellEnd);
        hasMoreCells = end != std::string_view::npos;
        cells.push_back(quoted == std::string_view::npos ? trimmed(line.substr(0, end))
                                                         : trimmed(unindented.substr(1, quoted - 1)));
        line.remove_prefix(hasMoreCells ? end + 1 : line.size());
    }
    return cells;
}

struct CsvHeader
{
    std::vector<CsvColumn> columns;
    char separator = ',';

    bool has(CsvColumn column) const { return std::ranges::find(columns, column) != columns.end(); }
    bool hasRecordColumns() const
    {
        return has(CsvColumn::Time) && has(CsvColumn::Operation) && has(CsvColumn::Address)
            && has(CsvColumn::Size);
    }
};

/// Tries each separator. Returns a header without columns if the line is no header of records.
CsvHeader headerOf(std::string_view line)
{
    CsvHeader recordHeader;
    for (const char separator : kSeparators) {
        CsvHeader header;
        header.separator = separator;
        for (const std::string_view name : splitCells(line, separator)) {
            const CsvColumn column = columnOf(name);
            header.columns.push_back(header.has(column) ? CsvColumn::Other : column);
        }
        if (header.hasRecordColumns())
            recordHeader = std::move(header);
    }
    return recordHeader;
}

/// True for a blank line and a comment.
bool isSkipped(std::string_view line)
{
    return line.empty() || line.starts_with('#');
}

/// The numbers of a row for operation and memory kind. Their meaning is known only after all rows have been
/// read.
struct RawNumbers
{
    std::int8_t operation = kWord; ///< kWord if the cell does not hold a number
    std::int8_t kind = kWord;
    static constexpr std::int8_t kWord = -1;
};

class CsvReader
{
public:
    CsvReader(ByteSource& source, std::uint64_t maxMemoryBytes)
        : m_source(source)
        , m_lines(m_source)
        , m_maxMemoryBytes(maxMemoryBytes)
    {
        m_list.form = "table";
    }

    RecordList readRows()
    {
        while (const std::optional<logs::LinePiece> piece = nextPiece()) {
            const std::string_view line = trimmed(withoutByteOrderMark(piece->text));
            if (isSkipped(line))
                continue;
            if (m_header.columns.empty())
                m_header = headerOf(line);
            else
                readRow(line, piece->line);
        }
        reportCutOff();
        interpretNumbers();
        return std::move(m_list);
    }

private:
    /// Reports a cut-off text: the last row has too few cells, or the text ends within the header.
    void reportCutOff()
    {
        const bool endsInHeader = m_lastLine == 0 && m_source.endsWithinLine();
        const bool endsInRow = m_lastLine > 0 && m_shortRow == m_lastLine;
        if (m_list.error || (!endsInHeader && !endsInRow))
            return;
        m_list.unreadable -= endsInRow;
        m_list.error = Error{ErrorCode::Truncated, "the file ends in the middle of a row",
            Place::line(std::max<std::uint64_t>(m_lastLine, 1))};
    }

    static std::string_view withoutByteOrderMark(std::string_view line)
    {
        return line.starts_with("\xEF\xBB\xBF") ? line.substr(3) : line;
    }

    std::optional<logs::LinePiece> nextPiece()
    {
        const Result<std::optional<logs::LinePiece>> piece = m_lines.next();
        if (!piece)
            m_list.error = piece.error();
        else if (m_list.memoryBytes() + m_numbers.memoryBytes() > m_maxMemoryBytes)
            m_list.error = memoryLimitError(m_maxMemoryBytes);
        return m_list.error ? std::nullopt : *piece;
    }

    void readRow(std::string_view line, std::uint64_t lineNumber)
    {
        m_lastLine = lineNumber;
        const std::vector<std::string_view> cells = splitCells(line, m_header.separator);
        nsys::MemoryRow row;
        RawNumbers numbers;
        bool isUsable = cells.size() == m_header.columns.size();
        if (cells.size() < m_header.columns.size())
            m_shortRow = lineNumber;
        for (std::size_t i = 0; isUsable && i < cells.size(); ++i)
            isUsable = setCell(m_header.columns[i], cells[i], row, numbers);
        if (!isUsable) {
            m_list.countUnreadable(lineNumber);
            return;
        }
        m_list.rows.push_back(row);
        m_numbers.push_back(numbers);
    }

    /// Returns false if a required cell holds no usable value.
    static bool setCell(CsvColumn column, std::string_view cell, nsys::MemoryRow& row, RawNumbers& numbers)
    {
        const std::optional<std::uint64_t> number = wholeNumber(cell);
        if (column == CsvColumn::Operation)
            return setOperation(cell, number, row, numbers);
        if (column == CsvColumn::Kind) {
            row.kind = number || cell.empty() ? nsys::MemoryKind::Device : kindOfWord(cell);
            numbers.kind
                = number ? static_cast<std::int8_t>(std::min<std::uint64_t>(*number, 100)) : std::int8_t{-1};
            return true;
        }
        const bool isNeeded
            = column == CsvColumn::Time || column == CsvColumn::Address || column == CsvColumn::Size;
        return number ? setNumber(column, *number, row) : !isNeeded;
    }

    static bool setOperation(
        std::string_view cell, std::optional<std::uint64_t> number, nsys::MemoryRow& row, RawNumbers& numbers)
    {
        if (number) {
            numbers.operation = static_cast<std::int8_t>(std::min<std::uint64_t>(*number, 100));
            return *number <= 2;
        }
        const std::optional<bool> release = isReleaseWord(cell);
        row.isFree = release.value_or(false);
        return release.has_value();
    }

    static bool setNumber(CsvColumn column, std::uint64_t number, nsys::MemoryRow& row)
    {
        const bool isBytes = number <= static_cast<std::uint64_t>(kLargestStoredSize);
        const auto value = static_cast<std::int64_t>(number);
        switch (column) {
        case CsvColumn::Time: row.time = value; return value >= 0;
        case CsvColumn::Size: row.bytes = value; return isBytes;
        case CsvColumn::Address: row.address = number; return true;
        case CsvColumn::Device: row.device = value; return true;
        case CsvColumn::Context: row.context = value; return true;
        case CsvColumn::Process: row.process = value; return true;
        case CsvColumn::Correlation: row.correlation = value; return true;
        case CsvColumn::Pool: row.pool = number; return true;
        case CsvColumn::Stream:
            row.stream = value;
            row.hasStream = true;
            return true;
        case CsvColumn::PoolSize: row.poolSize = isBytes ? std::optional(value) : std::nullopt; return true;
        case CsvColumn::Utilized:
            row.poolUtilized = isBytes ? std::optional(value) : std::nullopt;
            return true;
        default: return true;
        }
    }

    void interpretNumbers()
    {
        const bool isNsight = std::ranges::any_of(
            m_numbers, [](const RawNumbers& numbers) { return numbers.operation == 0; });
        for (std::size_t i = 0; i < m_list.rows.size(); ++i) {
            nsys::MemoryRow& row = m_list.rows[i];
            const RawNumbers& numbers = m_numbers[i];
            if (numbers.operation != RawNumbers::kWord)
                row.isFree = numbers.operation == (isNsight ? 1 : 2);
            if (numbers.kind == RawNumbers::kWord)
                continue;
            const int unknownKind = static_cast<int>(nsys::MemoryKind::Unknown);
            row.kind = isNsight ? static_cast<nsys::MemoryKind>(std::min<int>(numbers.kind, unknownKind))
                                : kindOfCuptiNumber(static_cast<std::uint64_t>(numbers.kind));
        }
    }

    EndWatch m_source;
    logs::LineSource m_lines;
    std::uint64_t m_maxMemoryBytes;
    RecordList m_list;
    CsvHeader m_header;
    Column<RawNumbers> m_numbers; ///< one per row
    std::uint64_t m_lastLine = 0;
    std::uint64_t m_shortRow = 0; ///< the last line with too few cells
};

} // namespace

bool sniffCsvRecords(std::string_view prefix)
{
    if (prefix.starts_with("\xEF\xBB\xBF"))
        prefix.remove_prefix(3);
    while (!prefix.empty()) {
        const std::size_t end = std::min(prefix.find('\n'), prefix.size());
        const std::string_view line = trimmed(prefix.substr(0, end));
        if (!isSkipped(line))
            return headerOf(line).hasRecordColumns();
        prefix.remove_prefix(std::min(end + 1, prefix.size()));
    }
    return false;
}

RecordList readCsvRecords(ByteSource& source, std::uint64_t maxMemoryBytes)
{
    return CsvReader(source, maxMemoryBytes).readRows();
}

} // namespace highwater::cupti_text
