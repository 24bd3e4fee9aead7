#include "importers/kineto/trace_event_reader.h"

#include <limits>
#include <utility>

#include "core/base/memory_limit.h"
#include "importers/kineto/broken_text.h"
#include "importers/kineto/event_parser.h"
#include "importers/kineto/text_window.h"

namespace highwater::kineto {

namespace {

/// Reading ends after this many broken events, because each costs a search.
constexpr std::int64_t kMaxBrokenEvents = 1000;
constexpr std::size_t kWholeText = std::numeric_limits<std::size_t>::max();

/// Returns the memory limit for records: the limit of the import minus the text window, or half of the limit
/// if it is small.
std::uint64_t recordBytes(std::uint64_t maxMemoryBytes)
{
    constexpr std::uint64_t text = TextWindow::kUsualBytes * TextWindow::kMemoryFactor;
    return maxMemoryBytes > 2 * text ? maxMemoryBytes - text : maxMemoryBytes / 2;
}

class EventsReader
{
public:
    EventsReader(ByteSource& source, const ReadLimits& limits, RecordCollector& collector, Records& records)
        : m_window(source, limits.maxMemoryBytes)
        , m_collector(collector)
        , m_records(records)
        , m_parser(collector, records, recordBytes(limits.maxMemoryBytes), limits.stop)
    {
    }

    std::optional<Error> read()
    {
        readHead();
        while (m_foundEvents && goesOn() && !m_sawEnd && !m_hasGivenUp) {
            fill(TextWindow::kUsualBytes);
            if (goesOn() && (!readAsArray() || m_window.isLast()))
                readOneByOne();
            if (m_window.isLast())
                break;
        }
        if (m_sawEnd && goesOn())
            readTail();
        if (m_stopError)
            return m_stopError;
        return m_parser.limit() ? m_parser.limit() : textError();
    }

private:
    bool goesOn() const { return !m_stopError && !m_parser.limit(); }

    void fill(std::size_t bytes)
    {
        if (Result<void> filled = m_window.fill(bytes); !filled)
            m_stopError = filled.error();
    }

    static simdjson::padded_string_view padded(const char* begin, std::size_t length)
    {
        return simdjson::padded_string_view(begin, length, length + TextWindow::kPadding);
    }

    /// Reads up to the bracket that opens the events, however far away it is.
    void readHead()
    {
        for (std::size_t bytes = TextWindow::kUsualBytes; goesOn(); bytes *= 2) {
            fill(bytes);
            const BrokenText parts = splitBrokenText(m_window.view());
            m_foundEvents = parts.firstEvent < m_window.view().size();
            if (!m_foundEvents && !m_window.isLast())
                continue;
            m_isObject = !parts.head.empty();
            m_isValid = m_parser.readEntries(m_foundEvents ? parts.head : std::string(m_window.view()));
            return m_window.drop(parts.firstEvent);
        }
    }

    /// Reads all events in the window except the last one as one array, which is several times as fast as
    /// reading them one by one. Returns false, without new records, if the array is not valid JSON or the
    /// window has fewer than two events.
    bool readAsArray()
    {
        const std::size_t comma = lastEventComma(m_window.view());
        if (comma == 0)
            return false;
        char* const text = m_window.data();
        const char overwritten = std::exchange(text[-1], '[');
        text[comma] = ']';
        const RecordCount countBefore = m_records.count();
        const simdjson::error_code error
            = m_parser.readArray(padded(text - 1, comma + 2), m_window.offset() - 1);
        text[-1] = overwritten;
        text[comma] = ',';
        if (error == simdjson::MEMALLOC)
            m_stopError = Error{ErrorCode::LimitExceeded, outOfMemoryText(), {}};
        if (error)
            m_records.truncate(countBefore);
        else
            m_window.drop(comma + 1);
        return !error;
    }

    /// Reads the events in the window one by one, up to the first that may end beyond the window.
    void readOneByOne()
    {
        EventFinder finder(m_window.view(), 0);
        while (
            goesOn() && (m_window.isLast() || finder.position() + kMaxEventBytes < m_window.view().size())) {
            const std::optional<TextRange> range = finder.next();
            if (!range)
                break;
            if (readOne(*range))
                (void)m_parser.countEvent();
            else if (!skipBrokenEvent(finder, *range))
                break;
        }
        m_sawEnd = finder.sawEnd();
        m_window.drop(finder.position());
    }

    /// Returns false if the event is not complete or not valid JSON.
    bool readOne(const TextRange& range)
    {
        return range.isWhole
            && m_parser.readSingleEvent(padded(m_window.view().data() + range.begin, range.end - range.begin),
                m_window.offset() + range.begin);
    }

    /// Skips a broken event. Returns false if nothing is left to read after it.
    bool skipBrokenEvent(EventFinder& finder, const TextRange& range)
    {
        const bool hasMore = finder.skipToNextEvent(range);
        if (!hasMore && !range.isWhole && range.end == m_window.view().size() && m_window.isLast())
            return false; // not broken: the text just ends within it
        m_collector.countUnreadable(m_window.offset() + range.begin);
        m_firstBrokenOffset = m_firstBrokenOffset.value_or(m_window.offset() + range.begin);
        m_hasGivenUp = ++m_brokenEventCount > kMaxBrokenEvents;
        return hasMore && !m_hasGivenUp;
    }

    void readTail()
    {
        const std::uint64_t begin = m_window.offset();
        fill(kWholeText);
        if (!goesOn())
            return;
        const std::string tail = entriesAfterEvents(m_window.view(), 0);
        m_isValid = m_isObject ? m_parser.readEntries(tail) : tail == "{";
        if (!m_isValid)
            m_firstBrokenOffset = m_firstBrokenOffset.value_or(begin);
    }

    std::optional<Error> textError() const
    {
        if (m_window.sourceErrorAtEnd())
            return m_window.sourceErrorAtEnd();
        if (m_firstBrokenOffset)
            return Error{ErrorCode::Malformed, "is not valid JSON", Place::byte(*m_firstBrokenOffset)};
        if (!m_foundEvents && m_isValid)
            return Error{ErrorCode::Malformed, "is a trace without events", {}};
        if (!m_sawEnd)
            return Error{ErrorCode::Truncated, "the file ends in the middle of the trace",
                Place::byte(m_window.offset() + m_window.view().size())};
        return std::nullopt;
    }

    TextWindow m_window;
    RecordCollector& m_collector;
    Records& m_records;
    EventParser m_parser;
    std::optional<Error> m_stopError;
    std::optional<std::uint64_t> m_firstBrokenOffset;
    std::int64_t m_brokenEventCount = 0;
    bool m_hasGivenUp = false;
    bool m_isObject = false; ///< true if the text is an object, false if it is an array
    bool m_isValid = false; ///< true if the text before and after the events is valid
    bool m_foundEvents = false;
    bool m_sawEnd = false;
};

} // namespace

std::optional<Error> readTraceEvents(
    ByteSource& source, const ReadLimits& limits, StringPool& strings, Records& records)
{
    RecordCollector collector(strings, records, limits.activities);
    std::optional<Error> error = EventsReader(source, limits, collector, records).read();
    collector.finish();
    return error;
}

} // namespace highwater::kineto
