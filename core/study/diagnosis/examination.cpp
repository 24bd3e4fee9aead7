#include "core/study/diagnosis/examination.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/memory_series.h"
#include "core/analysis/logs/series_pairs.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// A metric of the memory in use, and the words that follow its value in a sentence.
struct UseMetric
{
    std::string_view metric;
    std::string_view words;
};
constexpr std::array kUseMetrics = {UseMetric{"requested", " requested"}, UseMetric{"active", " active"},
    UseMetric{"allocated", " allocated"}, UseMetric{"reserved", " reserved"},
    UseMetric{"device_used", " used on the GPU"}, UseMetric{"process_used", " used by the process"},
    UseMetric{"memory", ""}};
constexpr std::string_view kPeakEnding = "_peak";
constexpr std::string_view kPercentEnding = "_pct";
/// Metrics that depend on the memory in use without being an amount of it.
constexpr std::array<std::string_view, 8> kRelatedMetrics{"device_free", "total_minus_allocated_peak",
    "num_alloc_retries", "num_ooms", "num_oom_rejections", "non_releasable", "reserved_minus_allocated",
    "device_used_minus_reserved"};

std::string_view withoutEnding(std::string_view text, std::string_view ending)
{
    return text.ends_with(ending) ? text.substr(0, text.size() - ending.size()) : text;
}

const UseMetric* findUseMetric(std::string_view metric)
{
    const auto found = std::ranges::find(kUseMetrics, withoutEnding(metric, kPeakEnding), &UseMetric::metric);
    return found == kUseMetrics.end() ? nullptr : found;
}

/// True if a series shows how much of a GPU's memory is in use or left.
bool showsGpuMemory(const CounterSeries& series)
{
    if (series.points() == 0)
        return false;
    const bool isPercentage
        = series.unit == "%" && findUseMetric(withoutEnding(series.metric, kPercentEnding));
    return isPercentage || std::ranges::find(kRelatedMetrics, series.metric) != kRelatedMetrics.end()
        || (measuresDevice(series) && (findUseMetric(series.metric) || !series.component.empty()));
}

/// Returns the devices that the run's own process uses according to a tracker; empty if unknown.
std::set<std::int64_t> devicesOfProcess(const Trace& log)
{
    std::set<std::int64_t> devices;
    for (const CounterSeries& series : log.counters)
        if (series.metric == "process_used" && series.deviceOrdinal)
            devices.insert(*series.deviceOrdinal);
    return devices;
}

void addDevice(const DiagnosedRun& run, std::vector<Examined>& examined)
{
    if (!run.device)
        return;
    const StepTable& steps = run.device->steps;
    const bool hasSteps = steps.source != StepSource::Whole;
    const bool hasHistory = run.figures->eventCount > 0 && run.trace.metadata.hasHistory;
    if (hasHistory)
        examined.push_back(
            {ExaminedKind::Allocations, static_cast<std::int64_t>(run.device->allocations.size()),
                hasSteps ? std::optional(static_cast<std::int64_t>(steps.count())) : std::nullopt});
    else
        examined.push_back({ExaminedKind::Segments, run.figures->segmentCount});
}

void addLogs(const DiagnosedRun& run, std::vector<Examined>& examined)
{
    Examined series{ExaminedKind::Series};
    Examined messages{ExaminedKind::Messages};
    std::set<std::int64_t> steps;
    for (const RunLog& log : run.logs) {
        messages.count += static_cast<std::int64_t>(log.trace->logEvents.size())
            - std::ranges::count_if(log.trace->logEvents, isSettingWarning);
        for (const CounterSeries& counter : log.trace->counters)
            if (showsGpuMemory(counter)) {
                ++series.count;
                series.points = std::max(series.points, static_cast<std::int64_t>(counter.points()));
                steps.insert(counter.step.begin(), counter.step.end());
            }
    }
    steps.erase(CounterSeries::kNoStep);
    if (!steps.empty())
        series.steps = static_cast<std::int64_t>(steps.size());
    examined.push_back(series);
    examined.push_back(messages);
}

/// Returns the series with the largest value among those of a whole GPU with this metric, or its peak
/// ("allocated", "allocated_peak"), and at least `fewestPoints` points; null if there is none. `own` has
/// indices of the series to examine.
const CounterSeries* largestOf(
    const Trace& log, const std::vector<std::size_t>& own, std::string_view metric, std::size_t fewestPoints)
{
    const CounterSeries* largest = nullptr;
    for (const std::size_t i : own) {
        const CounterSeries& series = log.counters[i];
        if ((series.metric != metric && series.metric != std::string(metric) + "_peak")
            || !series.component.empty() || !series.stage.empty() || series.points() < fewestPoints)
            continue;
        if (!largest || seriesFigures(series)->largest > seriesFigures(*largest)->largest)
            largest = &series;
    }
    return largest;
}

/// Replaces `highest` if a log has a higher figure.
void updateHighest(const Trace& log, std::optional<HighestFigure>& highest)
{
    const std::set<std::int64_t> processDevices = devicesOfProcess(log);
    for (const CounterSeries& series : log.counters) {
        const UseMetric* const metric = findUseMetric(series.metric);
        const bool isOwnDevice = processDevices.empty()
            || (series.deviceOrdinal && processDevices.contains(*series.deviceOrdinal));
        if (!metric || !isOwnDevice || !measuresDevice(series) || !series.component.empty())
            continue;
        const std::optional<SeriesFigures> figures = seriesFigures(series);
        if (!figures || (highest && wholeBytes(figures->largest) <= highest->bytes))
            continue;
        const std::string writer = writerOfSeries(series);
        highest = {wholeBytes(figures->largest), series.deviceOrdinal, series.rank, isSampled(series),
            fmt::format("{}{}{}{}{}", valueText(series, figures->largest), metric->words,
                figures->largestStep == CounterSeries::kNoStep
                    ? ""
                    : " at step " + formatCount(figures->largestStep),
                writer.empty() ? "" : fmt::format(" ({})", sanitizedText(writer)),
                series.unitGuessed ? "; its unit is a guess" : "")};
    }
}

} // namespace

std::vector<Examined> examinedData(const DiagnosedRun& run)
{
    std::vector<Examined> examined;
    addDevice(run, examined);
    addLogs(run, examined);
    std::erase_if(examined, [](const Examined& part) { return part.count == 0; });
    return examined;
}

const ImportLogEntry* driverRefusal(const Trace& trace)
{
    return trace.log.find("out-of-memory");
}

std::string_view wordsAfterFigure(std::string_view metric)
{
    const UseMetric* const found = findUseMetric(metric);
    return found ? found->words : std::string_view();
}

std::optional<HighestFigure> highestFigure(const std::vector<RunLog>& logs)
{
    std::optional<HighestFigure> highest;
    for (const RunLog& log : logs)
        updateHighest(*log.trace, highest);
    return highest;
}

std::string contradictionText(const std::vector<RunLog>& logs)
{
    constexpr std::size_t kFewestSamples = 10;
    constexpr double kRounding = 1.01;
    for (const RunLog& log : logs) {
        const std::vector<std::size_t> own = displayedSeries(*log.trace).own;
        const CounterSeries* const used = largestOf(*log.trace, own, "device_used", kFewestSamples);
        for (const std::string_view metric : {"allocated", "reserved"}) {
            const CounterSeries* const held = largestOf(*log.trace, own, metric, 1);
            if (!used || !held || held->rank != used->rank
                || seriesFigures(*held)->largest <= kRounding * seriesFigures(*used)->largest)
                continue;
            return fmt::format("{}, {}, is above {}, {}: samples missed the peak, or units or GPUs differ.",
                upperFirst(measureText(*held)), valueText(*held, seriesFigures(*held)->largest),
                measureText(*used), valueText(*used, seriesFigures(*used)->largest));
        }
    }
    return {};
}

} // namespace highwater
