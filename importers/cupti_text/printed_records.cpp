#include "importers/cupti_text/printed_records.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/base/hash.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "importers/cupti_text/end_watch.h"
#include "importers/cupti_text/printed_record.h"
#include "importers/cupti_text/record_text.h"
#include "importers/log/text/line_source.h"
#include "importers/source/limit_error.h"

namespace highwater::cupti_text {

namespace {

constexpr std::size_t kSniffLines = 64;
constexpr std::size_t kMaxDistinct = 4096;
constexpr std::string_view kDeviceName = "Device Name:";
constexpr std::string_view kDropped = "Warning: Dropped ";

class PrintedReader
{
public:
    PrintedReader(ByteSource& source, std::uint64_t maxMemoryBytes)
        : m_source(source)
        , m_lines(m_source)
        , m_maxMemoryBytes(maxMemoryBytes)
    {
    }

    RecordList readList()
    {
        while (const std::optional<logs::LinePiece> piece = nextPiece())
            readLine(*piece);
        if (m_list.error ? missesLines() : isCutOff())
            m_list.error = m_list.error.value_or(
                Error{ErrorCode::Truncated, "the file ends in the middle of a record", Place::line(m_line)});
        else
            endRecord();
        m_list.form = m_mostLines > 1 ? "printed, several lines a record" : "printed, a line a record";
        if (m_mostLines > 1)
            m_list.numbersWereSwapped = restoreSwappedNumbers(m_list.rows);
        return std::move(m_list);
    }

private:
    std::optional<logs::LinePiece> nextPiece()
    {
        const Result<std::optional<logs::LinePiece>> piece = m_lines.next();
        if (!piece)
            m_list.error = piece.error();
        else if (m_list.memoryBytes() > m_maxMemoryBytes)
            m_list.error = memoryLimitError(m_maxMemoryBytes);
        return m_list.error ? std::nullopt : *piece;
    }

    void readLine(const logs::LinePiece& piece)
    {
        m_line = piece.line;
        const RecordStart start = readRecordStart(piece.text);
        const bool continuesRecord
            = start.kind == RecordKind::None && m_record && m_record->parseFields(piece.text);
        m_recordLines += continuesRecord;
        if (continuesRecord)
            return;
        if (m_record)
            m_lineAfterRecord = piece.line;
        endRecord();
        if (start.kind == RecordKind::None) {
            readOtherLine(trimmed(piece.text));
            return;
        }
        m_record.emplace(start, piece.line);
        m_recordLines = 1;
    }

    /// Reads the other lines that the sample prints: the device's name, the number of dropped records.
    void readOtherLine(std::string_view line)
    {
        if (line.starts_with(kDeviceName) && m_list.deviceName.empty())
            m_list.deviceName = sanitizedText(trimmed(line.substr(kDeviceName.size())));
        else if (line.starts_with(kDropped)) {
            line.remove_prefix(kDropped.size());
            const auto count = wholeNumber(line.substr(0, line.find(' ')));
            m_list.dropped += static_cast<std::int64_t>(std::min<std::uint64_t>(count.value_or(1), 1u << 31));
        } else if (line.starts_with("MEMORY2 [") || line.starts_with("MEMORY_POOL ["))
            m_list.countUnreadable(m_line);
    }

    void endRecord()
    {
        if (!m_record)
            return;
        m_record->appendTo(m_list);
        m_record.reset();
        m_mostLines = std::max(m_mostLines, m_recordLines);
        m_fewestLines = std::min(m_fewestLines, m_recordLines);
    }

    /// True if the last record has fewer lines than every record before it.
    bool missesLines() const { return m_record && m_mostLines > 1 && m_recordLines < m_fewestLines; }

    /// True if the text was cut off: its last record misses lines, or it ends within a line that belongs to a
    /// record or follows one.
    bool isCutOff() const
    {
        return m_source.endsWithinLine() ? m_record || m_lineAfterRecord == m_line : missesLines();
    }

    EndWatch m_source;
    logs::LineSource m_lines;
    std::uint64_t m_maxMemoryBytes;
    RecordList m_list;
    std::optional<PrintedRecord> m_record; ///< the record that the next line may continue
    int m_recordLines = 0;
    int m_mostLines = 0;
    int m_fewestLines = std::numeric_limits<int>::max();
    std::uint64_t m_line = 0;
    std::uint64_t m_lineAfterRecord = 0; ///< latest line directly after a record that is not part of it
};

/// Counts the distinct values in a column; stops at 4,096.
template <typename Column>
std::size_t countDistinct(const std::vector<nsys::MemoryRow>& rows, Column column)
{
    NumberSet<std::int64_t> distinct;
    for (const nsys::MemoryRow& row : rows)
        if (distinct.insert(column(row)).second && distinct.size() == kMaxDistinct)
            break;
    return distinct.size();
}

/// Judges a single row, for texts with too few rows to compare columns. In a correct row the stream is
/// absent, or the correlation is present and the stream is not larger than the process number.
bool hasSwappedNumbers(const nsys::MemoryRow& row)
{
    return row.stream != kInvalidNumber && (row.correlation == kInvalidNumber || row.stream > row.process);
}

/// True if the columns reveal the bug that `restoreSwappedNumbers` corrects.
bool areNumbersSwapped(const std::vector<nsys::MemoryRow>& rows)
{
    constexpr std::size_t kFewRows = 3;
    if (rows.size() < kFewRows)
        return !rows.empty() && std::ranges::all_of(rows, hasSwappedNumbers);
    const auto processCount = countDistinct(rows, [](const nsys::MemoryRow& row) { return row.process; });
    const auto streamCount = countDistinct(rows, [](const nsys::MemoryRow& row) { return row.stream; });
    return processCount > streamCount && processCount * 2 > std::min(rows.size(), kMaxDistinct);
}

} // namespace

bool restoreSwappedNumbers(std::vector<nsys::MemoryRow>& rows)
{
    if (!areNumbersSwapped(rows))
        return false;
    for (nsys::MemoryRow& row : rows) {
        const auto [process, correlation, stream] = std::tuple(row.stream, row.process, row.correlation);
        row.process = process;
        row.correlation = correlation;
        row.stream = stream;
    }
    return true;
}

bool sniffPrintedRecords(std::string_view prefix)
{
    for (std::size_t line = 0; line < kSniffLines && !prefix.empty(); ++line) {
        const std::size_t end = std::min(prefix.find('\n'), prefix.size());
        const RecordStart start = readRecordStart(prefix.substr(0, end));
        const std::string_view fields = trimmed(start.fields);
        if (start.kind != RecordKind::None
            && (fields.starts_with("memoryOperationType ") || fields.starts_with("memoryPoolOperation")))
            return true;
        prefix.remove_prefix(std::min(end + 1, prefix.size()));
    }
    return false;
}

RecordList readPrintedRecords(ByteSource& source, std::uint64_t maxMemoryBytes)
{
    return PrintedReader(source, maxMemoryBytes).readList();
}

} // namespace highwater::cupti_text
