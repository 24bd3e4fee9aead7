#include "importers/native/native_document.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/json_or_null.h"
#include "importers/native/native_log.h"

namespace highwater::native {

namespace {

using Json = nlohmann::json;

Json textsJson(const std::vector<NamedText>& texts)
{
    Json list = Json::array();
    for (const auto& [name, value] : texts)
        list.push_back({name, value});
    return list;
}

std::vector<NamedText> textsFrom(const Json& list)
{
    std::vector<NamedText> texts;
    for (const Json& pair : list)
        texts.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
    return texts;
}

Json rangeJson(RowRange range)
{
    return {range.first, range.last};
}

RowRange rangeFrom(const Json& json)
{
    return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>()};
}

template <typename T>
std::optional<T> optionalFrom(const Json& json)
{
    return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

/// [[event, bytes], …] of totals or failed requests.
template <typename Items>
Json eventBytesJson(const Items& items)
{
    Json list = Json::array();
    for (const auto& [event, bytes] : items)
        list.push_back({event, bytes});
    return list;
}

/// Files of before these existed have none.
template <typename Item>
std::vector<Item> eventBytesFrom(const Json& json, const char* key)
{
    std::vector<Item> items;
    if (json.contains(key))
        for (const Json& pair : json.at(key))
            items.push_back({pair.at(0).get<std::int64_t>(), pair.at(1).get<Bytes>()});
    return items;
}

Json endStateJson(const std::optional<EndState>& end)
{
    if (!end)
        return nullptr;
    return {
        end->segments, end->blocks, end->liveBlocks, end->liveBytes, end->liveBlockBytes, end->reservedBytes};
}

std::optional<EndState> endStateFrom(const Json& json)
{
    if (json.is_null())
        return std::nullopt;
    const auto at = [&](std::size_t i) { return json.at(i).get<std::int64_t>(); };
    return EndState{at(0), at(1), at(2), at(3), at(4), at(5)};
}

Extent extentFrom(const Json& json, const char* key)
{
    return static_cast<Extent>(std::clamp(json.value(key, 0), 0, static_cast<int>(Extent::None)));
}

Json deviceJson(const Device& device, const EventPairing& pairing)
{
    return {{"kind", static_cast<int>(device.kind)}, {"ordinal", device.ordinal},
        {"process", orNull<Json>(device.process)}, {"name", device.name},
        {"capacity", orNull<Json>(device.capacity)}, {"quantity", static_cast<int>(device.quantity)},
        {"events", rangeJson(device.events)}, {"segments", rangeJson(device.segments)},
        {"ends_in_segments", device.endsInSegments}, {"addresses_recorded", device.addressesRecorded},
        {"events_read", static_cast<int>(device.eventsRead)},
        {"segments_read", static_cast<int>(device.segmentsRead)},
        {"end_state", endStateJson(device.endState)}, {"untouched", pairing.untouchedBlocks.size()},
        {"reserved", eventBytesJson(device.reserved)}, {"out_of_memory", eventBytesJson(device.outOfMemory)}};
}

Device deviceFrom(const Json& json)
{
    Device device;
    device.kind = static_cast<DeviceKind>(
        std::clamp(json.at("kind").get<int>(), 0, static_cast<int>(DeviceKind::Other)));
    device.ordinal = json.at("ordinal").get<std::int64_t>();
    device.process = optionalFrom<std::int64_t>(json.value("process", Json(nullptr)));
    device.name = json.at("name").get<std::string>();
    device.capacity = optionalFrom<Bytes>(json.at("capacity"));
    device.quantity = static_cast<Quantity>(
        std::clamp(json.at("quantity").get<int>(), 0, static_cast<int>(Quantity::DeviceUsed)));
    device.endsInSegments = json.value("ends_in_segments", device.quantity == Quantity::Requested);
    device.addressesRecorded = json.value("addresses_recorded", true);
    device.eventsRead = extentFrom(json, "events_read");
    device.segmentsRead = extentFrom(json, "segments_read");
    device.endState = endStateFrom(json.value("end_state", Json(nullptr)));
    device.events = rangeFrom(json.at("events"));
    device.segments = rangeFrom(json.at("segments"));
    device.reserved = eventBytesFrom<ReportedTotal>(json, "reserved");
    device.outOfMemory = eventBytesFrom<OutOfMemory>(json, "out_of_memory");
    return device;
}

Json logJson(const ImportLog& log)
{
    Json entries = Json::array();
    for (const ImportLogEntry& entry : log.entries()) {
        Json json = {{"severity", static_cast<int>(entry.severity)}, {"code", entry.code},
            {"message", entry.message}, {"count", entry.count}};
        if (entry.firstAt)
            json["at"] = {entry.firstAt->unit == Place::Unit::Line, entry.firstAt->number};
        entries.push_back(std::move(json));
    }
    return entries;
}

void logFrom(const Json& entries, ImportLog& log)
{
    for (const Json& json : entries) {
        std::optional<Place> place;
        if (json.contains("at"))
            place = json.at("at").at(0).get<bool>() ? Place::line(json.at("at").at(1).get<std::uint64_t>())
                                                    : Place::byte(json.at("at").at(1).get<std::uint64_t>());
        log.add(static_cast<Severity>(std::clamp(json.at("severity").get<int>(), 0, 2)),
            json.at("code").get<std::string>(), json.at("message").get<std::string>(), place,
            json.at("count").get<std::int64_t>());
    }
}

void fillIn(const Json& json, Trace& trace, std::vector<std::size_t>& untouchedCounts)
{
    trace.metadata.format = "highwater";
    trace.metadata.producer = textsFrom(json.at("producer"));
    trace.metadata.settings = textsFrom(json.at("settings"));
    trace.metadata.unknownEntries = textsFrom(json.at("unknown_entries"));
    trace.metadata.hasHistory = json.at("has_history").get<bool>();
    trace.metadata.startLost = json.at("start_lost").get<bool>();
    trace.metadata.cutOff = json.value("cut_off", false);
    trace.metadata.operators = json.value("operators", std::int64_t{0});
    trace.metadata.clock = static_cast<Clock>(std::clamp(json.value("clock", 0), 0, 2));
    for (const Json& device : json.at("devices")) {
        trace.devices.push_back(deviceFrom(device));
        untouchedCounts.push_back(device.at("untouched").get<std::size_t>());
    }
    trace.streams = json.at("streams").get<std::vector<std::int64_t>>();
    for (const Json& pool : json.at("pools"))
        trace.pools.push_back({pool.at(0).get<std::uint64_t>(), pool.at(1).get<std::uint64_t>()});
    trace.unknownActions = json.at("unknown_actions").get<std::vector<std::string>>();
    for (const Json& counter : json.at("counters"))
        trace.counters.push_back(counterFrom(counter));
    for (const Json& event : json.at("log_events"))
        trace.logEvents.push_back(logEventFrom(event));
    if (json.contains("configuration"))
        for (const Json& entry : json.at("configuration"))
            trace.metadata.configuration.push_back(configurationEntryFrom(entry));
    logFrom(json.at("import_log"), trace.log);
    const auto zero = std::find(trace.streams.begin(), trace.streams.end(), 0);
    if (zero != trace.streams.end())
        trace.defaultStream = StreamId(static_cast<std::size_t>(zero - trace.streams.begin()));
}

} // namespace

std::string documentText(const Trace& trace)
{
    Json json = {{"format", trace.metadata.format}, {"producer", textsJson(trace.metadata.producer)},
        {"settings", textsJson(trace.metadata.settings)},
        {"unknown_entries", textsJson(trace.metadata.unknownEntries)},
        {"has_history", trace.metadata.hasHistory}, {"start_lost", trace.metadata.startLost},
        {"cut_off", trace.metadata.cutOff}, {"operators", trace.metadata.operators},
        {"clock", static_cast<int>(trace.metadata.clock)}, {"streams", trace.streams},
        {"unknown_actions", trace.unknownActions}, {"import_log", logJson(trace.log)},
        {"counters", countersJson(trace)}, {"log_events", logEventsJson(trace)},
        {"configuration", configurationJson(trace)}};
    json["devices"] = Json::array();
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i)
        json["devices"].push_back(deviceJson(trace.devices[i], trace.pairings[i]));
    json["pools"] = Json::array();
    for (const PoolKey& pool : trace.pools)
        json["pools"].push_back({pool.first, pool.second});
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<void> readDocument(std::string_view text, Trace& trace, std::vector<std::size_t>& untouchedCounts)
{
    const Json json = Json::parse(text, nullptr, false);
    try {
        fillIn(json, trace, untouchedCounts);
    } catch (const Json::exception&) { // a missing entry or one of another type
        return fail(ErrorCode::Malformed, "the file's description is not what this version writes");
    }
    return {};
}

} // namespace highwater::native
