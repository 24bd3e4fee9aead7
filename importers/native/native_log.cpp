#include "importers/native/native_log.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/json_or_null.h"

namespace highwater::native {

namespace {

using Json = nlohmann::json;

template <typename T>
std::optional<T> optionalFrom(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found == json.end() || found->is_null() ? std::nullopt : std::optional<T>(found->get<T>());
}

template <typename T>
T valueOr(const Json& json, const char* key, T fallback)
{
    return json.contains(key) ? json.at(key).get<T>() : fallback;
}

template <typename Enum>
Enum enumFrom(const Json& json, const char* key, Enum last)
{
    return static_cast<Enum>(std::clamp(json.value(key, 0), 0, static_cast<int>(last)));
}

/// Leaves out what holds nothing: most series use few of their fields.
template <typename T>
void putUnlessEmpty(Json& json, const char* key, const T& value)
{
    if (!value.empty())
        json[key] = value;
}

Json writtenJson(const std::optional<WrittenBytes>& written)
{
    return written ? Json{written->bytes, written->rounding} : Json(nullptr);
}

std::optional<WrittenBytes> writtenFrom(const Json& json)
{
    if (json.is_null())
        return std::nullopt;
    return WrittenBytes{json.at(0).get<Bytes>(), json.at(1).get<Bytes>()};
}

/// The figures in the order in which the file holds them.
constexpr std::optional<WrittenBytes> OomFigures::*kFigures[]
    = {&OomFigures::requested, &OomFigures::capacity, &OomFigures::free, &OomFigures::allowed,
        &OomFigures::processUsed, &OomFigures::allocated, &OomFigures::privatePools,
        &OomFigures::reservedUnallocated, &OomFigures::reserved};

Json figuresJson(const OomFigures& figures)
{
    Json amounts = Json::array();
    for (const auto member : kFigures)
        amounts.push_back(writtenJson(figures.*member));
    Json others = Json::array();
    for (const ProcessUse& other : figures.otherProcesses)
        others.push_back({other.process, other.used.bytes, other.used.rounding});
    return {{"wording", figures.wording}, {"backend", figures.backend},
        {"device", orNull<Json>(figures.device)}, {"amounts", amounts}, {"others", others}};
}

OomFigures figuresFrom(const Json& json)
{
    OomFigures figures;
    figures.wording = json.at("wording").get<std::string>();
    figures.backend = json.at("backend").get<std::string>();
    figures.device = optionalFrom<std::int64_t>(json, "device");
    const Json& amounts = json.at("amounts");
    for (std::size_t i = 0; i < std::size(kFigures); ++i)
        figures.*kFigures[i] = writtenFrom(amounts.at(i));
    for (const Json& other : json.at("others"))
        figures.otherProcesses.push_back(
            {other.at(0).get<std::int64_t>(), {other.at(1).get<Bytes>(), other.at(2).get<Bytes>()}});
    return figures;
}

Json framesJson(const std::vector<LogFrame>& frames)
{
    Json list = Json::array();
    for (const LogFrame& frame : frames)
        list.push_back({frame.function.value(), frame.file.value(), frame.source.value(), frame.line});
    return list;
}

std::vector<LogFrame> framesFrom(const Json& json)
{
    std::vector<LogFrame> frames;
    const auto text = [](const Json& value) { return StringId(value.get<std::uint32_t>()); };
    for (const Json& frame : json)
        frames.push_back(
            {text(frame.at(0)), text(frame.at(1)), text(frame.at(2)), frame.at(3).get<std::int64_t>()});
    return frames;
}

Json counterJson(const CounterSeries& series)
{
    Json json = {{"name", series.name}, {"device", orNull<Json>(series.deviceOrdinal)},
        {"rank", orNull<Json>(series.rank)}, {"unit", series.unit}, {"time", series.time},
        {"value", series.value}};
    putUnlessEmpty(json, "process", series.process);
    putUnlessEmpty(json, "step", series.step);
    putUnlessEmpty(json, "epoch", series.epoch);
    putUnlessEmpty(json, "line", series.line);
    putUnlessEmpty(json, "label", series.label);
    putUnlessEmpty(json, "labels", series.labels);
    putUnlessEmpty(json, "metric", series.metric);
    putUnlessEmpty(json, "unit_note", series.unitNote);
    putUnlessEmpty(json, "component", series.component);
    putUnlessEmpty(json, "stage", series.stage);
    putUnlessEmpty(json, "pattern", series.pattern);
    if (series.quantity)
        json["quantity"] = static_cast<int>(*series.quantity);
    json["since"] = static_cast<int>(series.since);
    json["step_source"] = static_cast<int>(series.stepNumbering);
    json["unit_guessed"] = series.unitGuessed;
    return json;
}

} // namespace

Json countersJson(const Trace& trace)
{
    Json list = Json::array();
    for (const CounterSeries& series : trace.counters)
        list.push_back(counterJson(series));
    return list;
}

CounterSeries counterFrom(const Json& json)
{
    using Text = std::string;
    CounterSeries series;
    series.name = json.at("name").get<Text>();
    series.deviceOrdinal = optionalFrom<std::int64_t>(json, "device");
    series.rank = optionalFrom<std::int64_t>(json, "rank");
    series.unit = json.at("unit").get<Text>();
    series.time = json.at("time").get<std::vector<Nanoseconds>>();
    series.value = json.at("value").get<std::vector<double>>();
    series.process = valueOr(json, "process", Text());
    series.step = valueOr(json, "step", series.step);
    series.epoch = valueOr(json, "epoch", series.epoch);
    series.line = valueOr(json, "line", series.line);
    series.label = valueOr(json, "label", series.label);
    series.labels = valueOr(json, "labels", series.labels);
    series.metric = valueOr(json, "metric", Text());
    series.unitNote = valueOr(json, "unit_note", Text());
    series.component = valueOr(json, "component", Text());
    series.stage = valueOr(json, "stage", Text());
    series.pattern = valueOr(json, "pattern", Text());
    if (json.contains("quantity"))
        series.quantity = enumFrom(json, "quantity", Quantity::DeviceUsed);
    series.since = enumFrom(json, "since", PeakSince::PreviousRecord);
    series.stepNumbering = enumFrom(json, "step_source", StepNumbering::Earlier);
    series.unitGuessed = json.value("unit_guessed", false);
    return series;
}

Json logEventsJson(const Trace& trace)
{
    Json list = Json::array();
    for (const LogEvent& event : trace.logEvents) {
        Json json = {{"kind", static_cast<int>(event.kind)}, {"text", event.text}, {"line", event.line},
            {"failure", event.failure}, {"rank", orNull<Json>(event.rank)}, {"time", event.time},
            {"time_inferred", event.timeInferred}, {"step", event.step},
            {"step_inferred", event.stepInferred}, {"pattern", event.pattern}, {"fatal", event.fatal},
            {"low_trust", event.lowTrust}};
        putUnlessEmpty(json, "process", event.process);
        if (event.figures)
            json["figures"] = figuresJson(*event.figures);
        if (!event.frames.empty())
            json["frames"] = framesJson(event.frames);
        list.push_back(std::move(json));
    }
    return list;
}

LogEvent logEventFrom(const Json& json)
{
    LogEvent event;
    event.kind = enumFrom(json, "kind", LogEvent::Kind::HostOom);
    event.text = json.at("text").get<std::string>();
    event.line = json.at("line").get<std::uint64_t>();
    event.failure = json.at("failure").get<std::int64_t>();
    event.rank = optionalFrom<std::int64_t>(json, "rank");
    event.process = valueOr(json, "process", std::string());
    event.time = valueOr(json, "time", event.time);
    event.timeInferred = valueOr(json, "time_inferred", false);
    event.step = valueOr(json, "step", event.step);
    event.stepInferred = valueOr(json, "step_inferred", false);
    event.pattern = valueOr(json, "pattern", std::string());
    event.fatal = valueOr(json, "fatal", false);
    event.lowTrust = valueOr(json, "low_trust", false);
    if (json.contains("figures"))
        event.figures = figuresFrom(json.at("figures"));
    if (json.contains("frames"))
        event.frames = framesFrom(json.at("frames"));
    return event;
}

Json configurationJson(const Trace& trace)
{
    Json list = Json::array();
    for (const ConfigurationEntry& entry : trace.metadata.configuration)
        list.push_back({entry.name, entry.value, entry.origin, entry.line});
    return list;
}

ConfigurationEntry configurationEntryFrom(const Json& json)
{
    return {json.at(0).get<std::string>(), json.at(1).get<std::string>(), json.at(2).get<std::string>(),
        json.at(3).get<std::uint64_t>()};
}

} // namespace highwater::native
