#include "core/report/parts/diagnosis.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/diff/log_diff_text.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text_format.h"
#include "core/report/model/finding_text.h"
#include "core/report/parts/part_text.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 3> kFailureRules{"fragmentation", "divided-free-memory", "too-big"};
constexpr std::array<std::string_view, 2> kGrowthRules{"growth", "retained-graph"};

const Finding* failureOf(const RunMaterial& run)
{
    const auto found = std::ranges::find_if(run.study.findings(), isFailure);
    return found == run.study.findings().end() ? nullptr : &*found;
}

/// The largest finding of memory that steps leave behind, where it is much of the peak.
const Finding* growthOf(const RunMaterial& run)
{
    const Finding* largest = nullptr;
    for (const Finding& finding : run.study.findings())
        if (std::ranges::find(kGrowthRules, finding.rule) != kGrowthRules.end()
            && finding.kind == FindingKind::Fault && finding.grade != Grade::C
            && (!largest || finding.bytes > largest->bytes))
            largest = &finding;
    const bool counts
        = largest && (!run.study.figures() || largest->bytes >= run.study.figures()->peakBytes / 4);
    return counts ? largest : nullptr;
}

const LogFailure* firstFailure(const RunMaterial& run, std::vector<LogFailure>& room, const Trace*& log)
{
    for (const RunLog& each : run.study.logs()) {
        room = logFailures(*each.trace);
        log = each.trace.get();
        if (!room.empty())
            return &room.front();
    }
    return nullptr;
}

/// The highest that a run's own log tells; empty: it tells no memory.
std::string logPeak(const RunMaterial& run)
{
    const std::optional<SeriesPair> best = bestMemorySeries(run.trace());
    if (!best)
        return {};
    const CounterSeries& series = run.trace().counters[best->before];
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

std::string logVerdictText(const RunMaterial& run)
{
    std::vector<LogFailure> room;
    const Trace* log = nullptr;
    const LogFailure* failure = firstFailure(run, room, log);
    std::string peak = logPeak(run);
    if (failure) {
        const LogEvent& event = log->logEvents[failure->event];
        if (allocatedMore(event, run.trace()))
            peak.clear();
        return fmt::format("Memory ran out ({}){}{}.", placeText(event),
            event.figures ? ": " + figuresText(*event.figures) : "",
            peak.empty() ? "" : "; the highest that the log tells is " + peak);
    }
    return peak.empty() ? "The file tells no figures of device memory."
                        : fmt::format("The highest that the log tells is {}.", peak);
}

std::string placeOfFailure(const RunMaterial& run)
{
    if (!run.study.figures() || run.study.figures()->ooms.empty())
        return "";
    const std::int64_t event = run.study.figures()->ooms.back().event;
    const StepTable& steps = run.study.device()->steps;
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

/// A message tells sums, and not what was alive.
std::string troubleOfLog(const Diagnosis& diagnosis)
{
    switch (diagnosis.trouble) {
    case Trouble::TooBig:
        return "By the figures of the message it is not fragmentation: too little was free even without any "
               "waste. What was alive, a log does not tell.";
    case Trouble::Fragmentation:
        return "By the figures of the message it may be fragmentation: enough was reserved and not "
               "allocated.";
    case Trouble::Growth: return fullSentence(diagnosis.cause->title);
    default: return {};
    }
}

} // namespace

bool isFailure(const Finding& finding)
{
    return std::ranges::find(kFailureRules, finding.rule) != kFailureRules.end();
}

Diagnosis diagnose(const RunMaterial& run)
{
    Diagnosis diagnosis;
    const Finding* failure = failureOf(run);
    const Finding* growth = growthOf(run);
    diagnosis.ranOut = failure || (run.study.figures() && !run.study.figures()->ooms.empty());
    for (const RunLog& log : run.study.logs())
        diagnosis.ranOut = diagnosis.ranOut || !logFailures(*log.trace).empty();
    const auto worst = std::ranges::find_if(run.study.findings(), [](const Finding& finding) {
        return finding.kind == FindingKind::Fault && finding.grade != Grade::C && !isFailure(finding);
    });
    if (worst != run.study.findings().end())
        diagnosis.worst = &*worst;
    if (failure && failure->rule != "too-big") {
        diagnosis.trouble = failure->rule == "fragmentation" ? Trouble::Fragmentation : Trouble::Divided;
        diagnosis.cause = failure;
    } else if (growth) {
        diagnosis.trouble = Trouble::Growth;
        diagnosis.cause = growth;
    } else if (failure) {
        diagnosis.trouble = Trouble::TooBig;
        diagnosis.cause = failure;
    } else if (diagnosis.ranOut) {
        diagnosis.trouble = Trouble::Unknown;
    }
    return diagnosis;
}

std::string runVerdict(const RunMaterial& run)
{
    if (!run.study.figures())
        return logVerdictText(run);
    const Diagnosis diagnosis = diagnose(run);
    if (diagnosis.ranOut && diagnosis.trouble == Trouble::Growth)
        return fmt::format("Memory ran out{} because {}", placeOfFailure(run),
            lowerFirst(fullSentence(diagnosis.cause->title)));
    if (diagnosis.cause)
        return fullSentence(diagnosis.cause->title);
    if (diagnosis.ranOut && !run.study.figures()->ooms.empty())
        return fmt::format("Memory ran out{}, {} asked for; the peak is {} of {}.", placeOfFailure(run),
            formatBytes(run.study.figures()->ooms.back().requestedBytes),
            formatBytes(run.study.figures()->peakBytes), quantityWords(*run.study.device()));
    if (const Finding* peak = run.study.finding("peak-summary"))
        return fullSentence(peak->title);
    return fmt::format(
        "Nothing was in use: the file holds no allocations of {}.", run.study.device()->about().label());
}

std::string troubleSentence(const RunMaterial& run, bool withCause)
{
    const Diagnosis diagnosis = diagnose(run);
    if (!run.study.figures())
        return troubleOfLog(diagnosis);
    switch (diagnosis.trouble) {
    case Trouble::None: return {};
    case Trouble::Growth:
        return "It is growth, not fragmentation, and no single step is too big"
            + (withCause ? ": " + lowerFirst(fullSentence(diagnosis.cause->title)) : std::string("."));
    case Trouble::Fragmentation:
        return "It is fragmentation: enough was free, but not in one piece that could serve the request.";
    case Trouble::Divided:
        return "It is neither fragmentation alone nor too big: enough was free in sum, a part of it inside "
               "the "
               "allocator and a part on the device.";
    case Trouble::TooBig:
        return fmt::format("It is neither fragmentation nor growth: what was alive at one time is more than "
                           "the device has.{}",
            notNeeded(diagnosis));
    case Trouble::Unknown:
        return "Nothing in the files tells why: what the allocator had then is not recorded.";
    }
    return {};
}

std::string actionSentence(const Finding& finding)
{
    if (finding.remedy.action.empty())
        return {};
    const std::string saving = savingText(finding.remedy);
    return saving.empty() ? fullSentence(finding.remedy.action)
                          : fmt::format("{} ({}).", finding.remedy.action, saving);
}

} // namespace highwater
