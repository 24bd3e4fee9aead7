#include "importers/kineto/trace_event_reader.h"

#include <string>

#include <simdjson.h>

#include "core/base/memory_limit.h"
#include "importers/kineto/broken_text.h"
#include "importers/kineto/json_tokens.h"
#include "importers/kineto/record_collector.h"

namespace highwater::kineto {

namespace {

namespace ondemand = simdjson::ondemand;

/// How often limits are looked at.
constexpr std::uint64_t kEventsPerCheck = 4096;
/// Broken events after which the rest of a text is given up: each costs a search.
constexpr std::int64_t kMaxBrokenEvents = 1000;

/// Hands the fields of an object to `take(key, value)` until that returns false.
template <typename Take>
simdjson::error_code eachField(ondemand::object& object, Take take)
{
    for (auto result : object) {
        ondemand::field field;
        if (const auto error = std::move(result).get(field))
            return error;
        const char* key = field.key().raw();
        ondemand::value value = field.value();
        const simdjson::error_code error = take(key, value);
        if (error == simdjson::NO_SUCH_FIELD) // enough
            return simdjson::SUCCESS;
        if (error)
            return error;
    }
    return simdjson::SUCCESS;
}

/// `key` ends with a quote.
bool isKey(const char* key, std::string_view name)
{
    return std::string_view(key, name.size() + 1).substr(0, name.size()) == name && key[name.size()] == '"';
}

/// Empty for a key longer than any that is known.
std::string_view keyText(const char* key)
{
    const std::string_view ahead(key, 32);
    const std::size_t end = ahead.find('"');
    return end == std::string_view::npos ? std::string_view() : ahead.substr(0, end);
}

class Walker
{
public:
    Walker(
        const TraceText& text, const ReadLimits& limits, RecordCollector& collector, const Records& records)
        : m_text(text)
        , m_limits(limits)
        , m_collector(collector)
        , m_records(records)
    {
    }

    /// Reads the whole text. `limit()` distinguishes a stop because of the limits from broken text.
    simdjson::error_code readAll()
    {
        const std::size_t start = m_text.view().starts_with("\xEF\xBB\xBF") ? 3 : 0;
        ondemand::document document;
        if (const auto error = m_parser.iterate(padded(start, m_text.size - start)).get(document))
            return error;
        ondemand::json_type type;
        if (const auto error = document.type().get(type))
            return error;
        if (type == ondemand::json_type::array) {
            ondemand::array events;
            const auto error = document.get_array().get(events);
            return error ? error : readEvents(events);
        }
        ondemand::object top;
        const auto error = document.get_object().get(top);
        return error ? error : readTop(top);
    }

    /// Reads one event in [begin, end) in isolation.
    bool readAlone(std::size_t begin, std::size_t end)
    {
        ondemand::document document;
        ondemand::object object;
        if (m_parser.iterate(padded(begin, end - begin)).get(document) || document.get_object().get(object)
            || readEvent(object, begin))
            return false;
        return true;
    }

    /// The top-level entries of a text of their own.
    bool readEntries(const std::string& text)
    {
        const simdjson::padded_string copy(text);
        ondemand::document document;
        ondemand::object object;
        return !m_parser.iterate(copy).get(document) && !document.get_object().get(object)
            && !readTop(object);
    }

    bool goesOn()
    {
        if (++m_events % kEventsPerCheck != 0)
            return true;
        if (m_limits.stop.stopRequested())
            m_limit = Error{ErrorCode::Cancelled, "cancelled", {}};
        else if (m_records.memoryBytes() > m_limits.maxMemoryBytes)
            m_limit = Error{
                ErrorCode::LimitExceeded, "needs more memory than it may take (see --max-memory)", {}};
        return !m_limit;
    }
    const std::optional<Error>& limit() const { return m_limit; }
    bool foundEvents() const { return m_foundEvents; }

private:
    simdjson::padded_string_view padded(std::size_t begin, std::size_t length) const
    {
        return simdjson::padded_string_view(m_text.bytes.data() + begin, length, m_text.bytes.size() - begin);
    }

    simdjson::error_code readTop(ondemand::object& top)
    {
        return eachField(top, [this](const char* key, ondemand::value& value) -> simdjson::error_code {
            if (isKey(key, "traceEvents")) {
                ondemand::array events;
                const auto error = value.get_array().get(events);
                return error ? error : readEvents(events);
            }
            if (isKey(key, "distributedInfo"))
                return readRank(value);
            if (isKey(key, "deviceProperties"))
                return readGpus(value);
            const std::string_view token = value.raw_json_token();
            if (!token.starts_with('{') && !token.starts_with('['))
                m_collector.takeEntry(keyText(key), token);
            return simdjson::SUCCESS;
        });
    }

    simdjson::error_code readRank(ondemand::value& value)
    {
        ondemand::object info;
        if (value.get_object().get(info))
            return simdjson::SUCCESS; // of another form: not needed
        return eachField(info, [this](const char* key, ondemand::value& entry) {
            m_collector.takeRankEntry(keyText(key), entry.raw_json_token());
            return simdjson::SUCCESS;
        });
    }

    simdjson::error_code readGpus(ondemand::value& value)
    {
        ondemand::array gpus;
        if (value.get_array().get(gpus))
            return simdjson::SUCCESS;
        for (auto result : gpus) {
            ondemand::object object;
            if (const auto error = result.get_object().get(object))
                return error;
            std::optional<std::int64_t> id;
            Gpu gpu;
            const auto error = eachField(object, [&](const char* key, ondemand::value& entry) {
                const std::string_view token = entry.raw_json_token();
                if (isKey(key, "id"))
                    id = wholeNumberOf(token);
                else if (isKey(key, "name"))
                    gpu.name = unescaped(textOf(token));
                else if (isKey(key, "totalGlobalMem"))
                    gpu.capacity = wholeNumberOf(token);
                return simdjson::SUCCESS;
            });
            if (error)
                return error;
            if (id)
                m_collector.takeGpu(*id, std::move(gpu));
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code readEvents(ondemand::array& events)
    {
        m_foundEvents = true;
        for (auto result : events) {
            ondemand::value value;
            if (const auto error = std::move(result).get(value))
                return error;
            const char* at = value.raw_json_token().data();
            ondemand::object object;
            if (const auto error = value.get_object().get(object))
                return error;
            if (const auto error = readEvent(object, static_cast<std::uint64_t>(at - m_text.bytes.data())))
                return error;
            if (!goesOn())
                return simdjson::SUCCESS;
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code readEvent(ondemand::object& object, std::uint64_t offset)
    {
        EventTokens event;
        const auto error
            = eachField(object, [&](const char* key, ondemand::value& value) -> simdjson::error_code {
                  if (isKey(key, "args")) {
                      if (!RecordCollector::needsArguments(event))
                          return simdjson::SUCCESS;
                      ondemand::object arguments;
                      return value.get_object().get(arguments) ? simdjson::SUCCESS
                                                               : readArguments(arguments, event);
                  }
                  if (std::string_view* field = fieldOf(key, event))
                      *field = value.raw_json_token();
                  return m_collector.mayMatter(event) ? simdjson::SUCCESS : simdjson::NO_SUCH_FIELD;
              });
        if (!error)
            m_collector.take(event, offset);
        return error;
    }

    static std::string_view* fieldOf(const char* key, EventTokens& event)
    {
        switch (key[0]) {
        case 'p': return isKey(key, "ph") ? &event.phase : isKey(key, "pid") ? &event.process : nullptr;
        case 't': return isKey(key, "ts") ? &event.time : isKey(key, "tid") ? &event.thread : nullptr;
        case 'c': return isKey(key, "cat") ? &event.category : nullptr;
        case 'n': return isKey(key, "name") ? &event.name : nullptr;
        case 'd': return isKey(key, "dur") ? &event.duration : nullptr;
        default: return nullptr;
        }
    }

    simdjson::error_code readArguments(ondemand::object& arguments, EventTokens& event)
    {
        return eachField(arguments, [&](const char* key, ondemand::value& value) {
            if (std::string_view* field = argumentOf(key, event))
                *field = value.raw_json_token();
            return simdjson::SUCCESS;
        });
    }

    static std::string_view* argumentOf(const char* key, EventTokens& event)
    {
        switch (key[0]) {
        case 'A': return isKey(key, "Addr") ? &event.address : nullptr;
        case 'B': return isKey(key, "Bytes") ? &event.bytes : nullptr;
        case 'b': return isKey(key, "bytes") ? &event.movedBytes : nullptr;
        case 'C': return isKey(key, "Call stack") ? &event.callStack : nullptr;
        case 'D':
            return isKey(key, "Device Type") ? &event.deviceType
                : isKey(key, "Device Id")    ? &event.deviceId
                                             : nullptr;
        case 'E': return isKey(key, "Ev Idx") ? &event.index : nullptr;
        case 'T':
            return isKey(key, "Total Allocated") ? &event.totalAllocated
                : isKey(key, "Total Reserved")   ? &event.totalReserved
                                                 : nullptr;
        default: return nullptr;
        }
    }

    const TraceText& m_text;
    const ReadLimits& m_limits;
    RecordCollector& m_collector;
    const Records& m_records;
    ondemand::parser m_parser;
    std::optional<Error> m_limit;
    std::uint64_t m_events = 0;
    bool m_foundEvents = false;
};

/// Reads what is readable of a broken text, event by event.
Error readBroken(const TraceText& text, Walker& walker, RecordCollector& collector)
{
    const std::string_view view = text.view();
    const BrokenText parts = partsOf(view);
    walker.readEntries(parts.head);
    std::optional<std::uint64_t> firstBroken;
    std::int64_t broken = 0;
    EventFinder finder(view, parts.firstEvent);
    while (const std::optional<TextRange> range = finder.next()) {
        if (!range->isWhole || !walker.readAlone(range->begin, range->end)) {
            const bool more = finder.skipBroken(*range);
            if (!more && !range->isWhole && range->end == view.size())
                break; // nothing is wrong with it but that the text ends
            collector.countUnreadable(range->begin);
            firstBroken = firstBroken.value_or(range->begin);
            if (!more || ++broken > kMaxBrokenEvents)
                break;
        }
        if (!walker.goesOn())
            return *walker.limit();
    }
    if (finder.sawEnd())
        walker.readEntries(tailOf(view, finder.position()));
    if (firstBroken || finder.sawEnd())
        return {
            ErrorCode::Malformed, "is not valid JSON", Place::byte(firstBroken.value_or(finder.position()))};
    return {ErrorCode::Truncated, "the file ends in the middle of the trace", Place::byte(text.size)};
}

} // namespace

std::optional<Error> readTraceEvents(
    const TraceText& text, const ReadLimits& limits, StringPool& strings, Records& records)
{
    std::optional<Error> error;
    {
        RecordCollector collector(strings, records, limits.activities);
        Walker walker(text, limits, collector, records);
        const simdjson::error_code code = walker.readAll();
        if (walker.limit())
            return walker.limit();
        if (code == simdjson::MEMALLOC)
            return Error{ErrorCode::LimitExceeded, outOfMemoryText(), {}};
        if (!code && !walker.foundEvents())
            return Error{ErrorCode::Malformed, "is a trace without events", {}};
        collector.finish();
        if (!code)
            return std::nullopt;
    }
    records = Records();
    RecordCollector collector(strings, records, limits.activities);
    Walker walker(text, limits, collector, records);
    error = readBroken(text, walker, collector);
    collector.finish();
    return error;
}

} // namespace highwater::kineto
