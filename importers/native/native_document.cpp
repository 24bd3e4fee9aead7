#include "importers/native/native_document.h"

#include <algorithm>

#include "importers/native/native_fields.h"

namespace highwater::native {

template <>
inline constexpr auto kLast<DeviceKind> = DeviceKind::Other;
template <>
inline constexpr auto kLast<Quantity> = Quantity::DeviceUsed;
template <>
inline constexpr auto kLast<Extent> = Extent::None;
template <>
inline constexpr auto kLast<Clock> = Clock::Own;
template <>
inline constexpr auto kLast<PeakSince> = PeakSince::PreviousRecord;
template <>
inline constexpr auto kLast<StepNumbering> = StepNumbering::Earlier;
template <>
inline constexpr auto kLast<LogEvent::Kind> = LogEvent::Kind::Other;
template <>
inline constexpr auto kLast<LogEvent::Subject> = LogEvent::Subject::SharedMemory;

template <>
inline constexpr auto kItems<RowRange> = std::tuple(&RowRange::first, &RowRange::last);
template <>
inline constexpr auto kItems<PoolKey> = std::tuple(&PoolKey::first, &PoolKey::second);
template <>
inline constexpr auto kItems<ReportedTotal> = std::tuple(&ReportedTotal::event, &ReportedTotal::bytes);
template <>
inline constexpr auto kItems<OutOfMemory> = std::tuple(&OutOfMemory::event, &OutOfMemory::requestedBytes);
template <>
inline constexpr auto kItems<EndState> = std::tuple(&EndState::segmentCount, &EndState::blockCount,
    &EndState::liveBlockCount, &EndState::liveBytes, &EndState::liveBlockBytes, &EndState::reservedBytes);
template <>
inline constexpr auto kItems<ConfigurationEntry> = std::tuple(&ConfigurationEntry::name,
    &ConfigurationEntry::value, &ConfigurationEntry::origin, &ConfigurationEntry::line);
template <>
inline constexpr auto kItems<LogFrame> = std::tuple(
    &LogFrame::function, &LogFrame::file, &LogFrame::source, &LogFrame::line);
template <>
inline constexpr auto kItems<WrittenBytes> = std::tuple(&WrittenBytes::bytes, &WrittenBytes::rounding);
template <>
inline constexpr auto kItems<ProcessUse> = std::tuple(
    &ProcessUse::process, [](auto& use) -> auto& { return use.used.bytes; },
    [](auto& use) -> auto& { return use.used.rounding; });

template <>
inline constexpr auto kNeeded<Device> = std::tuple(std::pair("kind", &Device::kind),
    std::pair("ordinal", &Device::ordinal), std::pair("name", &Device::name),
    std::pair("capacity", &Device::capacity), std::pair("quantity", &Device::quantity),
    std::pair("events", &Device::events), std::pair("segments", &Device::segments));
template <>
inline constexpr auto kOptional<Device> = std::tuple(std::pair("process", &Device::process),
    std::pair("addresses_recorded", &Device::addressesRecorded),
    std::pair("events_read", &Device::eventsRead), std::pair("segments_read", &Device::segmentsRead),
    std::pair("end_state", &Device::endState), std::pair("reserved", &Device::reserved),
    std::pair("out_of_memory", &Device::outOfMemory));

template <>
inline constexpr auto kNeeded<CounterSeries> = std::tuple(std::pair("name", &CounterSeries::name),
    std::pair("unit", &CounterSeries::unit), std::pair("time", &CounterSeries::time),
    std::pair("value", &CounterSeries::value));
template <>
inline constexpr auto kOptional<CounterSeries> = std::tuple(
    std::pair("device", &CounterSeries::deviceOrdinal), std::pair("rank", &CounterSeries::rank),
    std::pair("process", &CounterSeries::process), std::pair("step", &CounterSeries::step),
    std::pair("epoch", &CounterSeries::epoch), std::pair("line", &CounterSeries::line),
    std::pair("label", &CounterSeries::label), std::pair("labels", &CounterSeries::labels),
    std::pair("metric", &CounterSeries::metric), std::pair("unit_note", &CounterSeries::unitNote),
    std::pair("component", &CounterSeries::component), std::pair("stage", &CounterSeries::stage),
    std::pair("pattern", &CounterSeries::pattern), std::pair("quantity", &CounterSeries::quantity),
    std::pair("since", &CounterSeries::since), std::pair("step_source", &CounterSeries::stepNumbering),
    std::pair("unit_guessed", &CounterSeries::unitGuessed));

template <>
inline constexpr auto kNeeded<LogEvent> = std::tuple(std::pair("kind", &LogEvent::kind),
    std::pair("text", &LogEvent::text), std::pair("line", &LogEvent::line),
    std::pair("failure", &LogEvent::failure));
template <>
inline constexpr auto kOptional<LogEvent> = std::tuple(std::pair("rank", &LogEvent::rank),
    std::pair("process", &LogEvent::process), std::pair("time", &LogEvent::time),
    std::pair("time_inferred", &LogEvent::timeInferred), std::pair("step", &LogEvent::step),
    std::pair("step_inferred", &LogEvent::stepInferred), std::pair("pattern", &LogEvent::pattern),
    std::pair("fatal", &LogEvent::fatal), std::pair("low_trust", &LogEvent::lowTrust),
    std::pair("figures", &LogEvent::figures), std::pair("frames", &LogEvent::frames),
    std::pair("subject", &LogEvent::subject), std::pair("speaker", &LogEvent::speaker),
    std::pair("subject_id", &LogEvent::subjectId));

template <>
inline constexpr auto kNeeded<TraceMetadata> = std::tuple(std::pair("producer", &TraceMetadata::producer),
    std::pair("settings", &TraceMetadata::settings),
    std::pair("unknown_entries", &TraceMetadata::unknownEntries),
    std::pair("has_history", &TraceMetadata::hasHistory), std::pair("start_lost", &TraceMetadata::startLost));
template <>
inline constexpr auto kOptional<TraceMetadata> = std::tuple(std::pair("cut_off", &TraceMetadata::cutOff),
    std::pair("operators", &TraceMetadata::operatorCount), std::pair("clock", &TraceMetadata::clock),
    std::pair("configuration", &TraceMetadata::configuration));

namespace {

/// The amounts of a message, in the order that the file uses.
constexpr std::optional<WrittenBytes> OomFigures::*kAmounts[]
    = {&OomFigures::requested, &OomFigures::capacity, &OomFigures::free, &OomFigures::allowed,
        &OomFigures::processUsed, &OomFigures::allocated, &OomFigures::privatePools,
        &OomFigures::reservedUnallocated, &OomFigures::reserved, &OomFigures::outside,
        &OomFigures::largestFree, &OomFigures::largestAllowed, &OomFigures::needed};

} // namespace

Json toJson(const OomFigures& figures)
{
    Json amounts = Json::array();
    for (const auto amount : kAmounts)
        amounts.push_back(toJson(figures.*amount));
    return {{"wording", figures.wording}, {"backend", figures.backend}, {"device_kind", figures.deviceKind},
        {"device", toJson(figures.device)}, {"amounts", amounts}, {"others", toJson(figures.otherProcesses)},
        {"corrupt", figures.requestIsCorrupt}};
}

void fromJson(const Json& json, OomFigures& figures)
{
    fromJson(json.at("wording"), figures.wording);
    fromJson(json.at("backend"), figures.backend);
    fromJson(json.value("device", Json()), figures.device);
    figures.deviceKind = json.value("device_kind", "");
    figures.requestIsCorrupt = json.value("corrupt", false);
    const Json& amounts = json.at("amounts"); // older files have fewer
    for (std::size_t i = 0; i < std::min(std::size(kAmounts), amounts.size()); ++i)
        fromJson(amounts.at(i), figures.*kAmounts[i]);
    fromJson(json.at("others"), figures.otherProcesses);
}

namespace {

Json deviceJson(const Device& device, const EventPairing& pairing)
{
    Json json = toJson(device);
    json["ends_in_segments"] = device.hasFinalSegments;
    json["untouched"] = pairing.untouchedBlocks.size();
    return json;
}

Device readDevice(const Json& json)
{
    Device device;
    fromJson(json, device);
    device.hasFinalSegments = json.value("ends_in_segments", device.quantity == Quantity::Requested);
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

/// Limits a count in the import log, which adds up the counts of entries with the same code.
constexpr std::int64_t kMaxOfOneMessage = std::int64_t{1} << 40;
constexpr std::size_t kMaxMessages = 10'000;

void readLog(const Json& entries, ImportLog& log)
{
    for (const Json& json : entries) {
        if (log.entries().size() == kMaxMessages)
            break; // the log compares each entry with all entries before it
        std::optional<Place> place;
        if (json.contains("at"))
            place = json.at("at").at(0).get<bool>()
                ? Place::line(wholeNumber<std::uint64_t>(json.at("at").at(1)))
                : Place::byte(wholeNumber<std::uint64_t>(json.at("at").at(1)));
        log.add(static_cast<Severity>(std::clamp(wholeNumber<int>(json.at("severity")), 0, 2)),
            json.at("code").get<std::string>(), json.at("message").get<std::string>(), place,
            std::clamp(wholeNumber<std::int64_t>(json.at("count")), std::int64_t{0}, kMaxOfOneMessage));
    }
}

void readEntries(const Json& json, Trace& trace, std::vector<std::size_t>& untouchedCounts)
{
    fromJson(json, trace.metadata);
    trace.metadata.kind = TraceKind::Native;
    for (const Json& device : json.at("devices")) {
        trace.devices.push_back(readDevice(device));
        untouchedCounts.push_back(wholeNumber<std::size_t>(device.at("untouched")));
    }
    fromJson(json.at("streams"), trace.streams);
    fromJson(json.at("pools"), trace.pools);
    fromJson(json.at("unknown_actions"), trace.unknownActions);
    fromJson(json.at("counters"), trace.counters);
    fromJson(json.at("log_events"), trace.logEvents);
    readLog(json.at("import_log"), trace.log);
    const auto defaultStream = std::ranges::find(trace.streams, 0);
    if (defaultStream != trace.streams.end())
        trace.defaultStream = StreamId(static_cast<std::size_t>(defaultStream - trace.streams.begin()));
}

} // namespace

std::string documentText(const Trace& trace)
{
    Json json = toJson(trace.metadata);
    json["format"] = toText(trace.metadata.kind);
    json["streams"] = trace.streams;
    json["pools"] = toJson(trace.pools);
    json["unknown_actions"] = trace.unknownActions;
    json["import_log"] = logJson(trace.log);
    json["counters"] = toJson(trace.counters);
    json["log_events"] = toJson(trace.logEvents);
    json["devices"] = Json::array();
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i)
        json["devices"].push_back(deviceJson(trace.devices[i], trace.pairings[i]));
    return jsonText(json);
}

Result<void> readDocument(std::string_view text, Trace& trace, std::vector<std::size_t>& untouchedCounts)
{
    const Json json = parseJson(text);
    try {
        readEntries(json, trace, untouchedCounts);
    } catch (const Json::exception&) { // an entry is missing or has another type
        return fail(ErrorCode::Malformed, "the file's description is not valid for this version");
    }
    return {};
}

} // namespace highwater::native
