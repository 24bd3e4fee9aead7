#include <algorithm>
#include <cmath>

#include "app/cli/output/log_output.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/log_traceback.h"
#include "core/analysis/logs/memory_series.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/json.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxMessages = 1'000;

/// Returns the value, as an integer if it is in bytes.
Json valueJson(const CounterSeries& series, double value)
{
    return series.unit == "bytes" && std::abs(value) < 9e18 ? Json(static_cast<std::int64_t>(value))
                                                            : Json(value);
}

Json counterJson(const CounterSeries& series)
{
    Json json = {{"name", series.name}, {"device", orNull(series.deviceOrdinal)},
        {"rank", orNull(series.rank)}, {"unit", series.unit}, {"points", series.points()}};
    const auto [low, high] = std::minmax_element(series.value.begin(), series.value.end());
    const bool hasPoints = !series.value.empty();
    json["min"] = hasPoints ? valueJson(series, *low) : Json();
    json["max"] = hasPoints ? valueJson(series, *high) : Json();
    json["last"] = hasPoints ? valueJson(series, series.value.back()) : Json();
    json["metric"] = textOrNull(series.metric);
    json["quantity"] = series.quantity ? Json(toText(*series.quantity)) : Json();
    json["peak_since"] = series.since == PeakSince::NotAPeak ? Json() : Json(toText(series.since));
    json["sampled"] = isSampled(series);
    json["unit_note"] = textOrNull(series.unitNote);
    json["unit_guessed"] = series.unitGuessed;
    json["steps"] = toText(series.stepNumbering);
    json["process"] = textOrNull(series.process);
    json["pattern"] = textOrNull(series.pattern);
    return json;
}

Json frameJson(const Trace& trace, const LogFrame& frame)
{
    return {{"function", trace.text(frame.function)}, {"file", trace.text(frame.file)}, {"line", frame.line},
        {"source", textOrNull(trace.text(frame.source))}};
}

Json tensorJson(const NamedTensor& tensor, const LogEvent& event)
{
    return {{"shape", tensor.shape}, {"dtype", tensor.dtype}, {"bytes", tensor.bytes},
        {"is_request", explainsRequest(tensor, event)}};
}

/// Adds the figures of an out-of-memory message, and the conclusions from them.
void addFigures(Json& json, const LogEvent& event)
{
    const OomFigures& figures = *event.figures;
    const OomReading reading = readOom(event);
    Json others = Json::array();
    for (const ProcessUse& process : figures.otherProcesses)
        others.push_back({{"pid", process.process}, {"bytes", process.used.bytes}});
    json["wording"] = figures.wording;
    json["backend"] = textOrNull(figures.backend);
    json["device"] = orNull(figures.device);
    json["device_kind"] = textOrNull(figures.deviceKind);
    json["requested_bytes"] = bytesJson(figures.requested);
    json["capacity_bytes"] = bytesJson(figures.capacity);
    json["free_bytes"] = bytesJson(figures.free);
    json["allowed_bytes"] = bytesJson(figures.allowed);
    json["process_bytes"] = bytesJson(figures.processUsed);
    json["allocated_bytes"] = bytesJson(figures.allocated);
    json["private_pools_bytes"] = bytesJson(figures.privatePools);
    json["reserved_unallocated_bytes"] = bytesJson(reading.unallocated);
    json["reserved_bytes"] = bytesJson(reading.reserved);
    json["outside_pytorch_bytes"] = orNull(reading.outsidePyTorch);
    json["outside_allocations_bytes"] = bytesJson(figures.outside);
    json["largest_free_bytes"] = bytesJson(figures.largestFree);
    json["largest_allowed_bytes"] = bytesJson(figures.largestAllowed);
    json["needed_bytes"] = bytesJson(figures.needed);
    json["other_processes"] = others;
    json["cause"] = toText(reading.cause);
    json["verdict"] = reading.verdict;
    json["contradictions"] = reading.contradictions;
}

Json messageJson(const Trace& trace, const LogEvent& event)
{
    Json json = {{"kind", toText(event.kind)}, {"subject", toText(event.subject)},
        {"speaker", textOrNull(event.speaker)}, {"line", event.line},
        {"failure", event.failure < 0 ? Json() : Json(event.failure)}, {"rank", orNull(event.rank)},
        {"process", textOrNull(event.process)}, {"fatal", orNull(event.fatal)}, {"low_trust", event.lowTrust},
        {"step", event.step == LogEvent::kNoStep ? Json() : Json(event.step)},
        {"step_inferred", event.stepInferred}, {"time_ns", event.time == 0 ? Json() : Json(event.time)},
        {"text", event.text}};
    if (event.figures)
        addFigures(json, event);
    json["frames"] = event.frames.size();
    const std::optional<std::size_t> user = findUserFrame(trace, event);
    json["user_frame"] = user ? frameJson(trace, event.frames[*user]) : Json();
    const std::optional<NamedTensor> tensor = requestedTensor(trace, event);
    json["tensor"] = tensor ? tensorJson(*tensor, event) : Json();
    return json;
}

} // namespace

Json bytesJson(const std::optional<WrittenBytes>& written)
{
    return written ? Json(written->bytes) : Json(nullptr);
}

Json countersJson(const Trace& trace)
{
    Json counters = Json::array();
    for (const CounterSeries& series : trace.counters)
        counters.push_back(counterJson(series));
    return counters;
}

Json logEventsJson(const Trace& trace)
{
    std::int64_t counts[7] = {};
    for (const LogEvent& event : trace.logEvents)
        ++counts[static_cast<std::size_t>(event.kind)];
    const auto count = [&](LogEvent::Kind kind) { return counts[static_cast<std::size_t>(kind)]; };
    // Messages of PyTorch's allocator of host memory count as allocator messages, too.
    const auto isOfHostAllocator = [](const LogEvent& event) { return event.pattern == "torch.cpu"; };
    const auto ofHost = std::ranges::count_if(trace.logEvents, isOfHostAllocator);
    const auto failuresOfHost = std::ranges::count_if(failuresOfEveryKind(trace),
        [&](const LogFailure& failure) { return isOfHostAllocator(trace.logEvents[failure.event]); });
    return {{"oom", count(LogEvent::Kind::Oom) + ofHost},
        {"oom_failures", static_cast<std::int64_t>(logFailures(trace).size()) + failuresOfHost},
        {"warning", count(LogEvent::Kind::Warning)}, {"driver_oom", count(LogEvent::Kind::DriverOom)},
        {"host_oom", count(LogEvent::Kind::HostOom)}, {"engine_oom", count(LogEvent::Kind::EngineOom)},
        {"unclear", count(LogEvent::Kind::Unclear)}, {"other", count(LogEvent::Kind::Other)},
        {"failures", failuresOfEveryKind(trace).size()}};
}

Json failureMessagesJson(const Trace& trace)
{
    Json messages = Json::array();
    for (const LogEvent& event : trace.logEvents)
        if (event.kind != LogEvent::Kind::Warning && messages.size() < kMaxMessages)
            messages.push_back(messageJson(trace, event));
    return messages;
}

Json configurationJson(const Trace& trace)
{
    Json entries = Json::array();
    for (const ConfigurationEntry& entry : trace.metadata.configuration)
        entries.push_back({{"name", entry.name}, {"value", entry.value}, {"origin", entry.origin},
            {"line", entry.line == 0 ? Json() : Json(entry.line)}});
    return entries;
}

} // namespace highwater::cli
