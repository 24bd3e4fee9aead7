#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kMostLinesNamed = 64;

/// The counts of a log that show how often the allocator emptied its cache or gave up.
struct Pressure
{
    std::int64_t retries = 0;
    std::int64_t failures = 0;
    std::int64_t flushes = 0;
    std::vector<Evidence> evidence;

    bool any() const { return retries > 0 || failures > 0 || flushes > 0; }
    void add(EvidenceTarget target, std::string sentence)
    {
        if (evidence.size() < kMostLinesNamed)
            evidence.push_back({std::move(sentence), target});
    }
};

/// Reads a cumulative counter: its largest value is the count.
void addCounter(const CounterSeries& series, std::size_t auxiliary, Pressure& pressure)
{
    const bool areRetries = series.metric == "num_alloc_retries";
    if (!areRetries && series.metric != "num_ooms")
        return;
    const auto most = std::ranges::max_element(series.value);
    if (most == series.value.end() || !(*most >= 1) || *most > 1e15)
        return;
    std::int64_t& count = areRetries ? pressure.retries : pressure.failures;
    count = std::max(count, static_cast<std::int64_t>(*most));
    const auto point = static_cast<std::size_t>(most - series.value.begin());
    pressure.add(LogLineTarget{auxiliary, series.lineAt(point)},
        fmt::format(
            "{} counts {}", sanitizedText(series.name), formatCount(static_cast<std::int64_t>(*most))));
}

/// Reads warnings with a count, such as "5 CUDA memory allocation retries".
void addWarning(const LogEvent& event, std::size_t auxiliary, Pressure& pressure)
{
    static const re2::RE2 kCounted("(\\d{1,12}) (?:\\w+ (memory allocation retries|OOM errors "
                                   "thrown)|pytorch (allocator cache flushes))");
    std::int64_t count = 0;
    std::string ofTorch;
    if (!re2::RE2::PartialMatch(event.text, kCounted, &count, &ofTorch) || count < 1)
        return;
    if (ofTorch.starts_with("memory"))
        pressure.retries = std::max(pressure.retries, count);
    else if (ofTorch.starts_with("OOM"))
        pressure.failures = std::max(pressure.failures, count);
    else
        pressure.flushes += count;
    pressure.add(LogLineTarget{auxiliary, event.line},
        fmt::format("{}: {}", placeText(event), sanitizedText(event.text.substr(0, 160))));
}

/// Returns "5 allocation retries, 2 out-of-memory failures".
std::string countsOf(const Pressure& pressure)
{
    std::vector<std::string> parts;
    const auto add = [&](std::int64_t count, std::string_view one, std::string_view many) {
        if (count > 0)
            parts.push_back(counted(count, one, many));
    };
    add(pressure.failures, "out-of-memory failure", "out-of-memory failures");
    add(pressure.retries, "allocation retry", "allocation retries");
    add(pressure.flushes, "cache flush", "cache flushes");
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Adds how full the device was, from the log's own series.
void addFullness(const Trace& log, std::size_t auxiliary, Finding& finding)
{
    for (const CounterSeries& series : log.counters) {
        const bool isShare = series.metric == "reserved_peak_pct" || series.metric == "device_used_pct";
        const bool isLevel = series.metric == "reserved_peak" || series.metric == "reserved";
        const auto most = std::ranges::max_element(series.value);
        if ((!isShare && !isLevel) || most == series.value.end()
            || finding.evidence.size() >= kMostLinesNamed)
            continue;
        if (isLevel)
            finding.bytes = std::max(finding.bytes, static_cast<Bytes>(*most));
        finding.addEvidence(
            LogLineTarget{auxiliary, series.lineAt(static_cast<std::size_t>(most - series.value.begin()))},
            "The log shows up to {} {}", valueText(series, *most), isShare ? "of the GPU" : "reserved");
    }
}

Finding pressureFinding(
    const Trace& log, std::size_t auxiliary, std::optional<std::int64_t> device, Pressure pressure)
{
    Finding finding{.rule = "allocator-retries", .grade = Grade::B, .device = device};
    finding.evidence = std::move(pressure.evidence);
    addFullness(log, auxiliary, finding);
    finding.title = fmt::format("The GPU was nearly full: {}{}", countsOf(pressure),
        device ? fmt::format(" on GPU {}", *device) : "");
    finding.remedy.action = "Lower the peak: each retry empties the cache and waits for the GPU, and a "
                            "failure survived here may end the next run";
    finding.wouldDisprove = "Wrong if another log of the run has these counts at 0";
    return finding;
}

/// Adds a finding for each kind of warning that has no count.
void addOtherWarnings(const Trace& log, std::size_t auxiliary, std::vector<Finding>& all)
{
    std::map<std::string, std::size_t> known; // maps a pattern to its finding
    for (const LogEvent& event : log.logEvents) {
        Pressure counts;
        if (event.kind == LogEvent::Kind::Warning)
            addWarning(event, auxiliary, counts);
        if (event.kind != LogEvent::Kind::Warning || counts.any())
            continue;
        const auto [entry, isNew] = known.try_emplace(event.pattern, all.size());
        if (isNew) {
            const bool isSetting = event.pattern == "torch.expandable";
            Finding finding{.rule = "memory-warning",
                .grade = Grade::B,
                .kind = isSetting ? FindingKind::Fact : FindingKind::Fault};
            finding.title
                = fmt::format("The log warns about memory: {}", sanitizedText(event.text.substr(0, 160)));
            finding.remedy.action = isSetting
                ? "Remove expandable_segments from the allocator's settings: it has no effect here"
                : "Lower the memory in use at that time, or give the engine's cache more room";
            finding.wouldDisprove = "Wrong if another log of the run has no such warning";
            all.push_back(std::move(finding));
        }
        Finding& finding = all[entry->second];
        if (finding.evidence.size() < kMostLinesNamed)
            finding.addEvidence(LogLineTarget{auxiliary, event.line}, "{}: {}", placeText(event),
                sanitizedText(event.text.substr(0, 160)));
    }
}

} // namespace

std::vector<Finding> findAllocatorWarnings(const DetectorInput& input)
{
    std::vector<Finding> all;
    for (std::size_t i = 0; i < input.auxiliaryFiles.size(); ++i) {
        const Trace& log = *input.auxiliaryFiles[i].trace;
        std::map<std::optional<std::int64_t>, Pressure> byDevice;
        for (const CounterSeries& series : log.counters)
            addCounter(series, i, byDevice[series.deviceOrdinal]);
        for (const LogEvent& event : log.logEvents)
            if (event.kind == LogEvent::Kind::Warning)
                addWarning(event, i, byDevice[std::nullopt]);
        for (auto& [device, pressure] : byDevice)
            if (pressure.any() && all.size() < kMostLinesNamed)
                all.push_back(pressureFinding(log, i, device, std::move(pressure)));
        addOtherWarnings(log, i, all);
    }
    return all;
}

} // namespace highwater
