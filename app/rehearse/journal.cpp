#include "app/rehearse/journal.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <utility>

#include "core/base/json.h"

namespace highwater::rehearse {

namespace {

using Json = nlohmann::json;

std::optional<std::int64_t> numberAt(const Json& json, const char* key)
{
    const auto value = json.find(key);
    return value != json.end() && value->is_number_integer() ? std::optional(value->get<std::int64_t>())
                                                             : std::nullopt;
}

double secondsAt(const Json& json, const char* key)
{
    const auto value = json.find(key);
    return value != json.end() && value->is_number() ? value->get<double>() : 0;
}

std::string stringAt(const Json& json, const char* key)
{
    const auto value = json.find(key);
    return value != json.end() && value->is_string() ? value->get<std::string>() : std::string();
}

bool isTrueAt(const Json& json, const char* key)
{
    const auto value = json.find(key);
    return value != json.end() && value->is_boolean() && value->get<bool>();
}

HostRead readOf(const Json& json)
{
    return {stringAt(json, "file"), static_cast<int>(numberAt(json, "line").value_or(0)),
        stringAt(json, "what"), numberAt(json, "count").value_or(0)};
}

LastException exceptionOf(const Json& line)
{
    const std::string text = stringAt(line, "exception");
    return text == "memory" ? LastException::OutOfMemory
        : text.empty()      ? LastException::None
                            : LastException::Other;
}

RehearsedProcess processOf(const Json& json)
{
    RehearsedProcess process;
    process.pid = numberAt(json, "pid").value_or(0);
    process.snapshotPath = stringAt(json, "path");
    if (const auto rank = numberAt(json, "rank"))
        process.rank = static_cast<int>(*rank);
    process.name = stringAt(json, "name");
    process.outOfMemory = isTrueAt(json, "out_of_memory");
    process.exception = exceptionOf(json);
    process.hasEnded = isTrueAt(json, "has_ended");
    process.isStopped = isTrueAt(json, "is_stopped");
    process.threadError = stringAt(json, "thread");
    process.architectures = stringAt(json, "architectures");
    process.visibleDevices = stringAt(json, "visible");
    process.begin = secondsAt(json, "begun");
    process.end = secondsAt(json, "time");
    process.training = {numberAt(json, "optimizers").value_or(0), numberAt(json, "steps").value_or(0),
        numberAt(json, "after_oom"), isTrueAt(json, "on_host"), isTrueAt(json, "between_ooms")};
    process.endedAfterSteps = numberAt(json, "ended_after");
    if (const auto reads = json.find("unsteered"); reads != json.end() && reads->is_array())
        for (const Json& read : *reads)
            if (read.is_object())
                process.unsteered.push_back(readOf(read));
    if (const auto listeners = json.find("listeners"); listeners != json.end() && listeners->is_array())
        for (const Json& listener : *listeners)
            if (listener.is_string())
                process.listeners.push_back(listener.get<std::string>());
    return process;
}

} // namespace

std::vector<RehearsedProcess> readJournal(const std::filesystem::path& path)
{
    std::map<std::int64_t, RehearsedProcess> processes;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (const Json json = parseJson(line); json.is_object()) {
            RehearsedProcess process = processOf(json);
            processes[process.pid] = std::move(process);
        }
    std::vector<RehearsedProcess> all;
    for (auto& [pid, process] : processes)
        all.push_back(std::move(process));
    // Processes without a rank come last, sorted by their names.
    std::ranges::stable_sort(all, {}, [](const RehearsedProcess& process) {
        return std::pair(process.rank.value_or(std::numeric_limits<int>::max()), process.name);
    });
    return all;
}

} // namespace highwater::rehearse
