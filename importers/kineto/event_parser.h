#pragma once

#include <optional>
#include <string>

#include <simdjson.h>

#include "core/base/progress.h"
#include "importers/kineto/record_collector.h"

namespace highwater::kineto {

/// Passes the events and top-level entries of JSON text to a RecordCollector, without building a document.
class EventParser
{
public:
    /// `maxMemoryBytes` limits the memory of `records`, which must be those of the collector.
    EventParser(
        RecordCollector& collector, const Records& records, std::uint64_t maxMemoryBytes, StopToken stop)
        : m_collector(collector)
        , m_records(records)
        , m_maxMemoryBytes(maxMemoryBytes)
        , m_stop(std::move(stop))
    {
    }

    /// Reads the events of an array, whose text includes the brackets. `offset` is the array's position in
    /// the whole text. Events before an error have been taken. Reading that ends at a limit also returns
    /// success, and sets `limit`.
    simdjson::error_code readArray(simdjson::padded_string_view array, std::uint64_t offset);
    /// Reads one event. Returns false if it is not valid JSON.
    bool readSingleEvent(simdjson::padded_string_view event, std::uint64_t offset);
    /// Reads the top-level entries of an object. Returns false if it is not valid JSON.
    bool readEntries(const std::string& object);

    /// Counts an event, and checks the limits once in 4,096 events. Returns false, and sets `limit`, if a
    /// limit is reached or the user cancelled.
    bool countEvent();
    /// Returns the limit or cancellation that ended reading; unset while reading may continue.
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
    std::uint64_t m_eventCount = 0;
};

} // namespace highwater::kineto
