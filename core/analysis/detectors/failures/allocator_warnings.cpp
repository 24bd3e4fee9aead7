#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/detectors/failures/oom_cause_words.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater {

namespace {

/// Limit on the lines that a finding cites, and on the findings of counts.
constexpr std::size_t kMaxLinesCited = 64;

/// The counts of a log that show how often the allocator emptied its cache or gave up.
struct Pressure
{
    std::int64_t retryCount = 0;
    std::int64_t failureCount = 0;
    std::int64_t rejectionCount
        = 0; ///< by `throw_on_cudamalloc_oom`, which PyTorch does not count as failures
    std::int64_t flushCount = 0;
    std::vector<Evidence> evidence;

    bool hasCounts() const
    {
        return retryCount > 0 || failureCount > 0 || rejectionCount > 0 || flushCount > 0;
    }
    void add(EvidenceTarget target, std::string sentence)
    {
        if (evidence.size() < kMaxLinesCited)
            evidence.push_back({std::move(sentence), target});
    }
};

/// Reads a cumulative counter: its largest value is the count.
void addCounter(const CounterSeries& series, std::size_t auxiliary, Pressure& pressure)
{
    const bool areRetries = series.metric == "num_alloc_retries";
    const bool areRejections = series.metric == "num_oom_rejections";
    if (!areRetries && !areRejections && series.metric != "num_ooms")
        return;
    const auto largest = std::ranges::max_element(series.value);
    if (largest == series.value.end() || !(*largest >= 1) || *largest > 1e15)
        return;
    std::int64_t& count = areRetries ? pressure.retryCount
        : areRejections              ? pressure.rejectionCount
                                     : pressure.failureCount;
    count = std::max(count, static_cast<std::int64_t>(*largest));
    const auto point = static_cast<std::size_t>(largest - series.value.begin());
    pressure.add(LogLineTarget{auxiliary, series.lineAt(point)},
        fmt::format(
            "{} counts {}", sanitizedText(series.name), formatCount(static_cast<std::int64_t>(*largest))));
}

/// Reads warnings with a count, such as "5 CUDA memory allocation retries".
void addWarning(const LogEvent& event, std::size_t auxiliary, Pressure& pressure)
{
    static const re2::RE2 kCounted("(\\d{1,12}) (?:\\w+ (memory allocation retries|OOM errors "
                                   "thrown)|pytorch (allocator cache flushes))");
    std::int64_t count = 0;
    std::string counterName;
    if (!re2::RE2::PartialMatch(event.text, kCounted, &count, &counterName) || count < 1)
        return;
    if (counterName.starts_with("memory"))
        pressure.retryCount = std::max(pressure.retryCount, count);
    else if (counterName.starts_with("OOM"))
        pressure.failureCount = std::max(pressure.failureCount, count);
    else
        pressure.flushCount += count;
    pressure.add(
        LogLineTarget{auxiliary, event.line}, fmt::format("{}: {}", placeText(event), messageExcerpt(event)));
}

/// Returns "5 allocation retries, 2 out-of-memory failures".
std::string countsOf(const Pressure& pressure)
{
    std::vector<std::string> parts;
    const auto add = [&](std::int64_t count, std::string_view singular, std::string_view plural) {
        if (count > 0)
            parts.push_back(counted(count, singular, plural));
    };
    add(pressure.failureCount, "out-of-memory failure", "out-of-memory failures");
    add(pressure.rejectionCount, "request", "requests");
    if (pressure.rejectionCount > 0)
        parts.back() += " refused by throw_on_cudamalloc_oom";
    add(pressure.retryCount, "allocation retry", "allocation retries");
    add(pressure.flushCount, "cache flush", "cache flushes");
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Adds how full the device was, from the log's own series.
void addFullness(const Trace& log, std::size_t auxiliary, Finding& finding)
{
    for (const CounterSeries& series : log.counters) {
        const bool isShare = series.metric == "reserved_peak_pct" || series.metric == "device_used_pct";
        const bool isLevel = series.metric == "reserved_peak" || series.metric == "reserved";
        const auto largest = std::ranges::max_element(series.value);
        if ((!isShare && !isLevel) || largest == series.value.end()
            || finding.evidence.size() >= kMaxLinesCited)
            continue;
        if (isLevel)
            finding.bytes = std::max(finding.bytes, static_cast<Bytes>(*largest));
        finding.addEvidence(
            LogLineTarget{auxiliary, series.lineAt(static_cast<std::size_t>(largest - series.value.begin()))},
            "The log shows up to {} {}", valueText(series, *largest), isShare ? "of the GPU" : "reserved");
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
    const bool onlyRefused
        = pressure.rejectionCount > 0 && pressure.retryCount == 0 && pressure.failureCount == 0;
    finding.remedy.action = onlyRefused
        ? actionForRefusal()
        : "Record a memory snapshot, which shows what to free: each retry empties the "
          "cache and waits for the GPU, and the next failure may end the run";
    return finding;
}

/// True if an allocation on a GPU failed in a later line than this one.
bool failsAfter(const std::vector<LogFailure>& failures, const Trace& log, const LogEvent& event)
{
    return !failures.empty() && log.logEvents[failures.back().event].line > event.line;
}

/// Returns the advice for a warning that no failure follows. Only an engine's own warning is about its cache.
std::string adviceForWarning(const LogEvent& event)
{
    const std::string lower = "Lower the memory in use at that time";
    return event.pattern.starts_with("torch.") ? lower + ": the next request may fail"
                                               : lower + ", or give the engine's cache more room";
}

/// Returns the words of a warning: without the logger's "[W519 20:17:24 file.cpp:495]" before them and an
/// unfinished bracket behind them.
std::string wordsOfWarning(std::string_view text)
{
    constexpr std::size_t maxText = 160;
    if (const std::size_t end = text.find("] "); text.starts_with('[') && end != std::string_view::npos)
        text.remove_prefix(end + 2);
    const std::size_t open = text.rfind('(');
    if (open != std::string_view::npos && open > 0 && text.find(')', open) == std::string_view::npos)
        text = text.substr(0, open);
    return sanitizedText(cutText(trimmed(text), maxText));
}

/// Returns "GPU 0 was full: 20 MiB could not be mapped, 9.6 MiB of 31.4 GiB free"; empty for other warnings.
std::string failedMapping(const LogEvent& event)
{
    static const re2::RE2 kMapping(
        "mapping failed with OOM on device (\\d{1,4}) while trying to map (\\d{1,15}) bytes");
    static const re2::RE2 kRoom("\\(free: (\\d{1,15}), total: (\\d{1,15})\\)");
    std::int64_t device = 0;
    Bytes requested = 0;
    if (!re2::RE2::PartialMatch(event.text, kMapping, &device, &requested))
        return {};
    std::string title
        = fmt::format("GPU {} was full: {} could not be mapped", device, formatBytes(requested));
    Bytes free = 0;
    Bytes capacity = 0;
    if (re2::RE2::PartialMatch(event.text, kRoom, &free, &capacity))
        title += fmt::format(", {} of {} free", formatBytes(free), formatBytes(capacity));
    return title;
}

/// Adds a finding for each kind of warning that has no count.
void addOtherWarnings(const Trace& log, std::size_t auxiliary, std::vector<Finding>& findings)
{
    std::map<std::string, std::size_t> findingOfPattern;
    const std::vector<LogFailure> failures = logFailures(log);
    for (const LogEvent& event : log.logEvents) {
        Pressure counts;
        if (event.kind == LogEvent::Kind::Warning)
            addWarning(event, auxiliary, counts);
        if (event.kind != LogEvent::Kind::Warning || counts.hasCounts())
            continue;
        const auto [entry, isNew] = findingOfPattern.try_emplace(event.pattern, findings.size());
        if (isNew) {
            const bool isSetting = isSettingWarning(event);
            Finding finding{.rule = "memory-warning",
                .grade = Grade::B,
                .kind = isSetting ? FindingKind::Fact : FindingKind::Fault};
            finding.title = failedMapping(event);
            if (finding.title.empty())
                finding.title = "The log warns about memory: " + wordsOfWarning(event.text);
            if (isSetting)
                finding.remedy.action
                    = "Remove expandable_segments from the allocator's settings: it has no effect here";
            else if (!failsAfter(failures, log, event)) // else the failure has advice of its own
                finding.remedy.action = adviceForWarning(event);
            findings.push_back(std::move(finding));
        }
        Finding& finding = findings[entry->second];
        if (finding.evidence.size() < kMaxLinesCited)
            finding.addEvidence(
                LogLineTarget{auxiliary, event.line}, "{}: {}", placeText(event), messageExcerpt(event));
    }
}

} // namespace

std::vector<Finding> findAllocatorWarnings(const DetectorInput& input)
{
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < input.auxiliaryFiles.size(); ++i) {
        const Trace& log = *input.auxiliaryFiles[i].trace;
        std::map<std::optional<std::int64_t>, Pressure> byDevice;
        for (const CounterSeries& series : log.counters)
            addCounter(series, i, byDevice[series.deviceOrdinal]);
        for (const LogEvent& event : log.logEvents)
            if (event.kind == LogEvent::Kind::Warning)
                addWarning(event, i, byDevice[std::nullopt]);
        for (auto& [device, pressure] : byDevice)
            if (pressure.hasCounts() && findings.size() < kMaxLinesCited)
                findings.push_back(pressureFinding(log, i, device, std::move(pressure)));
        addOtherWarnings(log, i, findings);
    }
    return findings;
}

} // namespace highwater
