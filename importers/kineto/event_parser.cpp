#include "importers/kineto/event_parser.h"

#include "importers/kineto/json_tokens.h"

namespace highwater::kineto {

namespace {

namespace ondemand = simdjson::ondemand;

/// Number of events between two checks of the limits.
constexpr std::uint64_t kEventsPerCheck = 4096;

/// Passes an object's fields to `takeField(key, value)`, until that returns NO_SUCH_FIELD (it needs no more)
/// or another error.
template <typename TakeField>
simdjson::error_code eachField(ondemand::object& object, TakeField takeField)
{
    for (auto result : object) {
        ondemand::field field;
        if (const auto error = std::move(result).get(field))
            return error;
        const char* key = field.key().raw();
        ondemand::value value = field.value();
        const simdjson::error_code error = takeField(key, value);
        if (error == simdjson::NO_SUCH_FIELD) // `takeField` needs no more fields
            return simdjson::SUCCESS;
        if (error)
            return error;
    }
    return simdjson::SUCCESS;
}

/// Compares a key in the JSON text, which ends with a quote, with a name.
bool isKey(const char* key, std::string_view name)
{
    return std::string_view(key, name.size() + 1).substr(0, name.size()) == name && key[name.size()] == '"';
}

/// Returns a key from the JSON text, or an empty text for a key longer than any known one.
std::string_view keyText(const char* key)
{
    const std::string_view searched(key, 32);
    const std::size_t end = searched.find('"');
    return end == std::string_view::npos ? std::string_view() : searched.substr(0, end);
}

/// Returns the member of `event` for a field of the JSON object; null for fields that are not needed.
std::string_view* fieldOf(const char* key, EventTokens& event)
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

/// Like `fieldOf`, for the entries of `args`.
std::string_view* argumentOf(const char* key, EventTokens& event)
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

} // namespace

simdjson::error_code EventParser::readArray(simdjson::padded_string_view array, std::uint64_t offset)
{
    ondemand::document document;
    ondemand::array events;
    if (const auto error = m_parser.iterate(array).get(document))
        return error;
    if (const auto error = document.get_array().get(events))
        return error;
    for (auto result : events) {
        ondemand::value value;
        if (const auto error = std::move(result).get(value))
            return error;
        const char* begin = value.raw_json_token().data();
        ondemand::object object;
        if (const auto error = value.get_object().get(object))
            return error;
        if (const auto error = readEvent(object, offset + static_cast<std::uint64_t>(begin - array.data())))
            return error;
        if (!countEvent())
            return simdjson::SUCCESS;
    }
    return simdjson::SUCCESS;
}

bool EventParser::readSingleEvent(simdjson::padded_string_view event, std::uint64_t offset)
{
    ondemand::document document;
    ondemand::object object;
    return !m_parser.iterate(event).get(document) && !document.get_object().get(object)
        && !readEvent(object, offset);
}

bool EventParser::readEntries(const std::string& object)
{
    const simdjson::padded_string copy(object);
    ondemand::document document;
    ondemand::object top;
    return !m_parser.iterate(copy).get(document) && !document.get_object().get(top) && !readTop(top);
}

bool EventParser::countEvent()
{
    if (++m_eventCount % kEventsPerCheck != 0)
        return true;
    if (m_stop.stopRequested())
        m_limit = Error{ErrorCode::Cancelled, "cancelled", {}};
    else if (m_records.memoryBytes() > m_maxMemoryBytes)
        m_limit = Error{ErrorCode::LimitExceeded, "needs more memory than allowed (see --max-memory)", {}};
    return !m_limit;
}

simdjson::error_code EventParser::readTop(ondemand::object& top)
{
    return eachField(top, [this](const char* key, ondemand::value& value) -> simdjson::error_code {
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

simdjson::error_code EventParser::readRank(ondemand::value& value)
{
    ondemand::object info;
    if (value.get_object().get(info))
        return simdjson::SUCCESS; // another type of value: not needed
    return eachField(info, [this](const char* key, ondemand::value& entry) {
        m_collector.takeRankEntry(keyText(key), entry.raw_json_token());
        return simdjson::SUCCESS;
    });
}

simdjson::error_code EventParser::readGpus(ondemand::value& value)
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

simdjson::error_code EventParser::readEvent(ondemand::object& object, std::uint64_t offset)
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
              return m_collector.mayBeNeeded(event) ? simdjson::SUCCESS : simdjson::NO_SUCH_FIELD;
          });
    if (!error)
        m_collector.take(event, offset);
    return error;
}

simdjson::error_code EventParser::readArguments(ondemand::object& arguments, EventTokens& event)
{
    return eachField(arguments, [&](const char* key, ondemand::value& value) {
        if (std::string_view* field = argumentOf(key, event))
            *field = value.raw_json_token();
        return simdjson::SUCCESS;
    });
}

} // namespace highwater::kineto
