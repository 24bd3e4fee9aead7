#pragma once

#include <optional>
#include <string>

#include <simdjson.h>

#include "core/base/progress.h"
#include "importers/kineto/record_collector.h"

namespace highwater::kineto {

/// Hands the events and top-level entries of JSON text to a RecordCollector, without building a document.
class EventParser
{
public:
    /// `maxMemoryBytes`: of the records.
    EventParser(
        RecordCollector& collector, const Records& records, std::uint64_t maxMemoryBytes, StopToken stop)
        : m_collector(collector)
        , m_records(records)
        , m_maxMemoryBytes(maxMemoryBytes)
        , m_stop(std::move(stop))
    {
    }

    /// The events of an array from bracket to bracket. `offset`: of the array in the whole text. `limit`
    /// distinguishes a stop because of the limits from success.
    simdjson::error_code readArray(simdjson::padded_string_view array, std::uint64_t offset);
    /// One event. False: it is not valid JSON.
    bool readAlone(simdjson::padded_string_view event, std::uint64_t offset);
    /// The top-level entries of an object. False: it is not valid JSON.
    bool readEntries(const std::string& object);

    /// To be asked after each event; false: a limit is reached, or the user cancelled.
    bool goesOn();
    /// Why reading must end.
    const std::optional<Error>& limit() const { return m_limit; }

private:
    simdjson::error_code readTop(simdjson::ondemand::object& top);
    simdjson::error_code readRank(simdjson::ondemand::value& value);
    simdjson::error_code readGpus(simdjson::ondemand::value& value);
    simdjson::error_code readEvent(simdjson::ondemand::object& object, std::uint64_t offset);
    simdjson::error_code readArguments(simdjson::ondemand::object& arguments, EventTokens& event);

    RecordCollector& m_collector;
    const Records& m_records;
    std::uint64_t m_maxMemoryBytes;
    StopToken m_stop;
    simdjson::ondemand::parser m_parser;
    std::optional<Error> m_limit;
    std::uint64_t m_events = 0;
};

} // namespace highwater::kineto
