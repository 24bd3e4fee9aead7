#include "core/study/diagnosis/examination.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/diff/series_pairs.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// A metric of the memory in use, with the words that follow a figure of it.
struct Level
{
    std::string_view metric;
    std::string_view words;
};
constexpr std::array kLevels = {Level{"requested", "requested"}, Level{"active", "active"},
    Level{"allocated", "allocated"}, Level{"reserved", "reserved"}, Level{"device_used", "in use on the GPU"},
    Level{"process_used", "in use by the process"}, Level{"memory", "of memory"}};
constexpr std::string_view kPeak = "_peak";
constexpr std::string_view kShare = "_pct";
/// Metrics that depend on the memory in use without being an amount of it.
constexpr std::array<std::string_view, 7> kPressure{"device_free", "total_minus_allocated_peak",
    "num_alloc_retries", "num_ooms", "non_releasable", "reserved_minus_allocated",
    "device_used_minus_reserved"};

std::string_view withoutEnding(std::string_view text, std::string_view ending)
{
    return text.ends_with(ending) ? text.substr(0, text.size() - ending.size()) : text;
}

const Level* levelOf(std::string_view metric)
{
    const auto found = std::ranges::find(kLevels, withoutEnding(metric, kPeak), &Level::metric);
    return found == kLevels.end() ? nullptr : found;
}

/// True if a series shows how much of a GPU's memory is in use or left.
bool tellsGpuMemory(const CounterSeries& series)
{
    if (series.points() == 0)
        return false;
    const bool isShare = series.unit == "%" && levelOf(withoutEnding(series.metric, kShare));
    return isShare || std::ranges::find(kPressure, series.metric) != kPressure.end()
        || (measuresDevice(series) && (levelOf(series.metric) || !series.component.empty()));
}

/// Returns the devices that the run's own process uses according to a tracker; empty if unknown.
std::set<std::int64_t> ownDevices(const Trace& log)
{
    std::set<std::int64_t> devices;
    for (const CounterSeries& series : log.counters)
        if (series.metric == "process_used" && series.deviceOrdinal)
            devices.insert(*series.deviceOrdinal);
    return devices;
}

void addDevice(const DiagnosedRun& run, std::vector<Examined>& all)
{
    if (!run.device)
        return;
    const StepTable& steps = run.device->steps;
    const bool hasSteps = steps.source != StepSource::Whole;
    const bool hasHistory = run.figures->events > 0 && run.trace.metadata.hasHistory;
    if (hasHistory)
        all.push_back({ExaminedKind::Allocations, static_cast<std::int64_t>(run.device->allocations.size()),
            hasSteps ? std::optional(static_cast<std::int64_t>(steps.count())) : std::nullopt});
    else
        all.push_back({ExaminedKind::Segments, run.figures->segments});
}

void addLogs(const DiagnosedRun& run, std::vector<Examined>& all)
{
    Examined series{ExaminedKind::Series};
    Examined messages{ExaminedKind::Messages};
    std::set<std::int64_t> steps;
    for (const RunLog& log : run.logs) {
        messages.count += static_cast<std::int64_t>(log.trace->logEvents.size());
        for (const CounterSeries& each : log.trace->counters)
            if (tellsGpuMemory(each)) {
                ++series.count;
                series.points = std::max(series.points, static_cast<std::int64_t>(each.points()));
                steps.insert(each.step.begin(), each.step.end());
            }
    }
    steps.erase(CounterSeries::kNoStep);
    if (!steps.empty())
        series.steps = static_cast<std::int64_t>(steps.size());
    all.push_back(series);
    all.push_back(messages);
}

/// Replaces `highest` if a log has a higher figure.
void offerHighest(const Trace& log, std::optional<HighestFigure>& highest)
{
    const std::set<std::int64_t> own = ownDevices(log);
    for (const CounterSeries& series : log.counters) {
        const Level* const level = levelOf(series.metric);
        const bool isOwn = own.empty() || (series.deviceOrdinal && own.contains(*series.deviceOrdinal));
        if (!level || !isOwn || !measuresDevice(series) || !series.component.empty())
            continue;
        const std::optional<SeriesFigures> figures = seriesFigures(series);
        if (!figures || (highest && wholeBytes(figures->largest) <= highest->bytes))
            continue;
        const std::string writer = writerText(series);
        highest = {wholeBytes(figures->largest), series.deviceOrdinal, series.rank,
            fmt::format("{} {}{}{}", valueText(series, figures->largest), level->words,
                figures->largestStep == CounterSeries::kNoStep
                    ? ""
                    : " at step " + formatCount(figures->largestStep),
                writer.empty() ? "" : fmt::format(" ({})", sanitizedText(writer)))};
    }
}

} // namespace

std::vector<Examined> examinedOf(const DiagnosedRun& run)
{
    std::vector<Examined> all;
    addDevice(run, all);
    addLogs(run, all);
    std::erase_if(all, [](const Examined& part) { return part.count == 0; });
    return all;
}

std::optional<HighestFigure> highestFigure(const std::vector<RunLog>& logs)
{
    std::optional<HighestFigure> highest;
    for (const RunLog& log : logs)
        offerHighest(*log.trace, highest);
    return highest;
}

} // namespace highwater
