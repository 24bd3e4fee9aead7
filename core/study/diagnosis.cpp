#include "core/study/diagnosis.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/device/cut_off.h"
#include "core/analysis/diff/log_diff_text.h"
#include "core/analysis/diff/series_pairs.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The failure itself, by the rule that tells of it.
constexpr std::array<std::pair<std::string_view, Trouble>, 5> kFailureRules{
    {{"fragmentation", Trouble::Fragmentation}, {"divided-free-memory", Trouble::Divided},
        {"too-big", Trouble::TooBig}, {"process-cap", Trouble::Limit},
        {"reserve-too-small", Trouble::Limit}}};
constexpr std::array<std::string_view, 2> kGrowthRules{"growth", "retained-graph"};

const Finding* failureOf(const DiagnosedRun& run)
{
    const auto found = std::ranges::find_if(run.findings, isFailure);
    return found == run.findings.end() ? nullptr : &*found;
}

/// The largest finding of memory that steps leave behind, where it is much of the peak.
const Finding* largestGrowthOf(const DiagnosedRun& run)
{
    const Finding* largest = nullptr;
    for (const Finding& finding : run.findings)
        if (std::ranges::find(kGrowthRules, finding.rule) != kGrowthRules.end()
            && finding.kind == FindingKind::Fault && finding.grade != Grade::C
            && (!largest || finding.bytes > largest->bytes))
            largest = &finding;
    const bool counts = largest && (!run.figures || largest->bytes >= run.figures->peakBytes / 4);
    return counts ? largest : nullptr;
}

const LogFailure* firstFailure(const DiagnosedRun& run, std::vector<LogFailure>& room, const Trace*& log)
{
    for (const RunLog& each : run.logs) {
        room = logFailures(*each.trace);
        log = each.trace.get();
        if (!room.empty())
            return &room.front();
    }
    return nullptr;
}

/// The highest that a run's own log tells; empty: it tells no memory.
std::string logPeak(const DiagnosedRun& run)
{
    const std::optional<SeriesPair> best = bestMemorySeries(run.trace);
    if (!best)
        return {};
    const CounterSeries& series = run.trace.counters[best->before];
    const std::int64_t step = best->beforeFigures.largestStep;
    return fmt::format("{}{}, by {}", valueText(series, best->beforeFigures.largest),
        step == CounterSeries::kNoStep ? "" : " at step " + formatCount(step), measureText(series));
}

/// Whether the message tells of more than any sample before it: the samples are of other moments then.
bool allocatedMore(const LogEvent& event, const Trace& log)
{
    const std::optional<SeriesPair> best = bestMemorySeries(log);
    return best && event.figures && event.figures->allocated
        && static_cast<double>(event.figures->allocated->bytes) > best->beforeFigures.largest;
}

std::string logVerdictText(const DiagnosedRun& run)
{
    std::vector<LogFailure> room;
    const Trace* log = nullptr;
    const LogFailure* failure = firstFailure(run, room, log);
    std::string peak = logPeak(run);
    if (failure) {
        const LogEvent& event = log->logEvents[failure->event];
        if (allocatedMore(event, run.trace))
            peak.clear();
        return fmt::format("Memory ran out ({}){}{}.", placeText(event),
            event.figures ? ": " + figuresText(*event.figures) : "",
            peak.empty() ? "" : "; the highest value in the log is " + peak);
    }
    return peak.empty() ? "The file holds no figures of device memory."
                        : fmt::format("The highest value in the log is {}.", peak);
}

std::string placeOfFailure(const DiagnosedRun& run)
{
    if (!run.figures || run.figures->ooms.empty())
        return "";
    const std::int64_t event = run.figures->ooms.back().event;
    const StepTable& steps = run.device->steps;
    const auto step = steps.stepOf(event);
    return step && steps.source != StepSource::Whole ? " in " + sanitizedText(steps.steps[*step].name)
                                                     : " at event " + formatCount(event);
}

/// What could be avoided on a GPU that is simply too small.
std::string notNeeded(const Diagnosis& diagnosis)
{
    const Finding* worst = diagnosis.worst;
    return worst && worst->remedy.savedBytes > 0
        ? fmt::format(" {}{} of it need not be there: {}", worst->remedy.isUpperBound ? "Up to " : "",
            formatBytes(worst->remedy.savedBytes), lowerFirst(fullSentence(worst->title)))
        : std::string();
}

std::string innocence(const DiagnosedRun& run)
{
    return std::ranges::count(run.findings, FindingKind::Fault, &Finding::kind) > 0
        ? ""
        : "Nothing wrong was found in the way the run uses its memory.";
}

/// A message tells sums, and not what was alive.
std::string messageVerdict(const DiagnosedRun& run)
{
    std::vector<LogFailure> room;
    const Trace* log = nullptr;
    const LogFailure* failure = firstFailure(run, room, log);
    if (!failure || !log->logEvents[failure->event].figures)
        return {};
    const OomReading reading = readOom(log->logEvents[failure->event]);
    if (reading.cause == OomCause::Unknown)
        return {};
    const bool needsSnapshot = reading.cause == OomCause::TooBig || reading.cause == OomCause::Full;
    return fmt::format("By the figures of the message: {}.{}", reading.verdict,
        needsSnapshot ? " A log does not say what was alive." : "");
}

std::string troubleOfLog(const DiagnosedRun& run, const Diagnosis& diagnosis)
{
    switch (diagnosis.trouble) {
    case Trouble::None: return innocence(run);
    case Trouble::Growth: return fullSentence(diagnosis.cause->title);
    case Trouble::HostMemory: return {};
    default: return messageVerdict(run);
    }
}

std::string verdictOf(const DiagnosedRun& run, const Diagnosis& diagnosis)
{
    if (diagnosis.trouble == Trouble::HostMemory)
        return fullSentence(diagnosis.cause->title);
    if (!run.figures)
        return logVerdictText(run);
    if (diagnosis.ranOut && diagnosis.trouble == Trouble::Growth)
        return fmt::format("Memory ran out{} because {}", placeOfFailure(run),
            lowerFirst(fullSentence(diagnosis.cause->title)));
    if (diagnosis.cause)
        return fullSentence(diagnosis.cause->title);
    if (diagnosis.ranOut && !run.figures->ooms.empty())
        return fmt::format("Memory ran out{}, {} requested; the peak is {} of {}.", placeOfFailure(run),
            formatBytes(run.figures->ooms.back().requestedBytes), formatBytes(run.figures->peakBytes),
            quantityWords(*run.device));
    const auto peak = std::ranges::find(run.findings, "peak-summary", &Finding::rule);
    if (peak != run.findings.end())
        return fullSentence(peak->title);
    return fmt::format(
        "Nothing was in use: the file holds no allocations of {}.", run.device->about().label());
}

/// "Rank 2 ran out of memory. " where the file itself did not; empty: no rank did or stands out.
std::string otherRank(const DiagnosedRun& run, const Diagnosis& diagnosis)
{
    if (!run.ranks || diagnosis.ranOut || run.ranks->sentences.empty())
        return {};
    const bool stands = std::ranges::any_of(run.ranks->rows, [&](const RankRow& row) {
        const RankDevice* device = run.ranks->deviceOf(row);
        return device && (device->ooms > 0 || row.outlier);
    });
    return stands ? run.ranks->sentences.front() + ' ' : std::string();
}

std::string sentenceOf(const DiagnosedRun& run, const Diagnosis& diagnosis, bool withCause)
{
    if (!run.figures)
        return troubleOfLog(run, diagnosis);
    switch (diagnosis.trouble) {
    case Trouble::None: return innocence(run);
    case Trouble::Growth:
        return "It is growth, not fragmentation, and no single step is too big"
            + (withCause ? ": " + lowerFirst(fullSentence(diagnosis.cause->title)) : std::string("."));
    case Trouble::Fragmentation:
        return "It is fragmentation: enough was free, but not in one piece that could serve the request.";
    case Trouble::Divided:
        return fmt::format(
            "It is neither fragmentation alone nor too big: enough was free in sum, a part of it "
            "inside the allocator and a part on the device.{}",
            notNeeded(diagnosis));
    case Trouble::TooBig:
        return fmt::format("It is neither fragmentation nor growth: what was alive at one time is more than "
                           "the device has.{}",
            notNeeded(diagnosis));
    case Trouble::Limit:
        return "It is neither fragmentation nor growth: the device had room, and a limit forbade its use.";
    case Trouble::HostMemory: return {};
    case Trouble::Unknown:
        return "Nothing in the files tells why: what the allocator had then is not recorded.";
    }
    return {};
}

} // namespace

Trouble troubleOf(const Finding& finding)
{
    const auto rule
        = std::ranges::find(kFailureRules, finding.rule, &std::pair<std::string_view, Trouble>::first);
    return rule == kFailureRules.end() ? Trouble::None : rule->second;
}

bool isFailure(const Finding& finding)
{
    return troubleOf(finding) != Trouble::None;
}

Diagnosis diagnose(const DiagnosedRun& run)
{
    Diagnosis diagnosis;
    const Finding* failure = failureOf(run);
    const Finding* growth = largestGrowthOf(run);
    diagnosis.ranOut = failure || (run.figures && !run.figures->ooms.empty());
    for (const RunLog& log : run.logs)
        diagnosis.ranOut = diagnosis.ranOut || !logFailures(*log.trace).empty();
    const auto worst = std::ranges::find_if(run.findings, [](const Finding& finding) {
        return finding.kind == FindingKind::Fault && finding.grade != Grade::C && !isFailure(finding);
    });
    if (worst != run.findings.end())
        diagnosis.worst = &*worst;
    const auto killed = std::ranges::find(run.findings, "host-out-of-memory", &Finding::rule);
    if (failure && failure->rule != "too-big") {
        diagnosis.trouble = troubleOf(*failure);
        diagnosis.cause = failure;
    } else if (growth) {
        diagnosis.trouble = Trouble::Growth;
        diagnosis.cause = growth;
    } else if (failure) {
        diagnosis.trouble = Trouble::TooBig;
        diagnosis.cause = failure;
    } else if (diagnosis.ranOut) {
        diagnosis.trouble = Trouble::Unknown;
    } else if (killed != run.findings.end()) {
        diagnosis.trouble = Trouble::HostMemory;
        diagnosis.cause = &*killed;
    }
    diagnosis.verdict = otherRank(run, diagnosis) + verdictOf(run, diagnosis);
    diagnosis.sentence = sentenceOf(run, diagnosis, false);
    diagnosis.sentenceWithCause = sentenceOf(run, diagnosis, true);
    return diagnosis;
}

} // namespace highwater
