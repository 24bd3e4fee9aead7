#include "core/study/diagnosis/diagnosis_words.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/analysis/allocator/recorded_settings.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/doubtful_totals.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/study/diagnosis/examination.h"

namespace highwater {

namespace {

/// The fewest steps with which a leak can be excluded.
constexpr std::int64_t kFewestStepsForLeaks = 4;
constexpr std::int64_t kFewestPointsForGrowth = 10; ///< points of a log's series that `findGrowthInLog` needs

const Examined* partOf(const Diagnosis& diagnosis, ExaminedKind kind)
{
    const auto found = std::ranges::find(diagnosis.examined, kind, &Examined::what);
    return found == diagnosis.examined.end() ? nullptr : &*found;
}

/// Returns "The peak is 21.26 GiB of 39.39 GiB."; empty if no file gives the memory in use.
std::string peakText(const DiagnosedRun& run)
{
    if (run.figures && run.figures->peakBytes > 0) {
        const auto peak = std::ranges::find(run.findings, "peak-summary", &Finding::rule);
        if (peak != run.findings.end())
            return fullSentence(peak->title);
        return fmt::format("The peak is {}.", knownPeakText(*run.device, *run.figures));
    }
    const std::optional<HighestFigure> highest = highestFigure(run.logs);
    return highest ? fmt::format("The highest {} is {}.",
               highest->sampled ? "sample of GPU memory" : "GPU memory in the log", highest->text)
                   : std::string();
}

/// Returns "not a leak in 12 steps"; empty if there are too few steps.
std::string noLeakText(const Diagnosis& diagnosis)
{
    const Examined* const allocations = partOf(diagnosis, ExaminedKind::Allocations);
    return allocations && allocations->steps && *allocations->steps >= kFewestStepsForLeaks
        ? fmt::format("not a leak in {}", counted(*allocations->steps, "step", "steps"))
        : std::string();
}

/// Returns "Live tensors leave too little room; this is not fragmentation, and not a leak in 14 steps."
std::string excludedCauses(const LeadingFailure& leading, const Diagnosis& diagnosis)
{
    if (!leading.event)
        return {};
    const std::string leak = noLeakText(diagnosis);
    return fmt::format("Live tensors leave too little room; this is not fragmentation{}.",
        leak.empty() ? "" : ", and " + leak);
}

std::string failureDetail(const LeadingFailure& leading, const Diagnosis& diagnosis)
{
    switch (diagnosis.diagnosed) {
    case DiagnosisClass::Leak: return "This is a leak, not fragmentation: each step alone would fit.";
    case DiagnosisClass::TooBig: return excludedCauses(leading, diagnosis);
    case DiagnosisClass::UnknownOom: return leading.event ? "The file does not record why." : "";
    default: return {};
    }
}

/// Returns what a log cannot show of a request that was too big; empty if a recording shows it.
std::string unknownTensors(const LeadingFailure& leading, const Diagnosis& diagnosis)
{
    return diagnosis.diagnosed == DiagnosisClass::TooBig && !leading.event && leading.message
            && leading.message->speaker.empty()
        ? "Which tensors were in use is unknown: a log has only totals."
        : "";
}

/// True if the message of the failure gives the memory in use then. The records of the log are older, and
/// lower.
bool hasOwnFigures(const LeadingFailure& leading)
{
    return leading.message && leading.message->figures
        && (leading.message->figures->processUsed || leading.message->figures->allocated
            || leading.message->figures->reserved);
}

/// Counts the GPUs of the file that used memory.
std::size_t usedGpus(const Trace& trace)
{
    return static_cast<std::size_t>(std::ranges::count_if(trace.devices,
        [](const Device& device) { return device.kind == DeviceKind::Cuda && device.events.size() > 0; }));
}

/// True if the table of ranks has the failure of one rank only.
bool isOnlyFailure(const RankTable& ranks)
{
    return std::ranges::count_if(ranks.rows, [&](const RankRow& row) {
        const RankDevice* const device = ranks.deviceOf(row);
        return device && device->ooms > 0;
    }) == 1;
}

/// Returns how many ranks failed according to the log of the leading failure, such as "8 ranks"; GPUs if it
/// names no ranks; empty if only one did.
std::string failedInLog(const LeadingFailure& leading)
{
    if (!leading.log || leading.event || leading.message->kind != LogEvent::Kind::Oom)
        return {};
    std::set<std::int64_t> ranks;
    std::set<std::int64_t> devices;
    for (const LogFailure& failure : logFailures(*leading.log->trace)) {
        const LogEvent& event = leading.log->trace->logEvents[failure.event];
        if (event.rank)
            ranks.insert(*event.rank);
        if (event.figures && event.figures->device)
            devices.insert(*event.figures->device);
    }
    if (ranks.size() > 1)
        return formatCount(static_cast<std::int64_t>(ranks.size())) + " ranks";
    return devices.size() > 1 ? formatCount(static_cast<std::int64_t>(devices.size())) + " GPUs"
                              : std::string();
}

/// Adds how many ranks or GPUs failed, to a sentence about the first: "8 ranks ran out of memory, first on
/// GPU 0 (rank 0): …", "4 GPUs ran out of memory; another process fills GPU 4: …".
std::string withFailed(const std::string& failed, std::string sentence)
{
    constexpr std::string_view kFailed = "Out of memory";
    return sentence.starts_with(kFailed)
        ? fmt::format("{} ran out of memory, first{}", failed, sentence.substr(kFailed.size()))
        : fmt::format("{} ran out of memory; {}", failed, lowerFirst(std::move(sentence)));
}

/// Adds the rank or the GPU that failed, if the run has several and the sentence does not name it: "Only rank
/// 2 of 4 ran out of memory: …", "Out of memory on GPU 1: …". For a log of several failed ranks it adds their
/// number.
std::string withPlace(std::string sentence, const DiagnosedRun& run, const LeadingFailure& leading)
{
    constexpr std::string_view kFailed = "Out of memory:";
    if (const std::string failed = failedInLog(leading); !failed.empty() && !run.ranks)
        return withFailed(failed, std::move(sentence));
    const bool saysOutOfMemory = sentence.starts_with(kFailed);
    if (run.ranks && run.rank) {
        const std::string rank = fmt::format("ank {}", *run.rank);
        if (sentence.find(rank) != std::string::npos)
            return sentence;
        const std::string name = fmt::format("ank {} of {}", *run.rank, run.ranks->files.size());
        if (!saysOutOfMemory)
            return fmt::format("R{}: {}", name, lowerFirst(std::move(sentence)));
        return fmt::format("{}{} ran out of memory:{}", isOnlyFailure(*run.ranks) ? "Only r" : "R", name,
            sentence.substr(kFailed.size()));
    }
    if (saysOutOfMemory && run.device && usedGpus(run.trace) > 1)
        return fmt::format(
            "Out of memory on GPU {}:{}", run.device->about().ordinal, sentence.substr(kFailed.size()));
    return sentence;
}

/// Returns why leaks cannot be judged; empty if they can be.
std::string unjudgedLeaks(const Diagnosis& diagnosis)
{
    if (partOf(diagnosis, ExaminedKind::Allocations))
        return noLeakText(diagnosis).empty() ? "too few steps to judge leaks" : "";
    const Examined* const series = partOf(diagnosis, ExaminedKind::Series);
    return series && series->points < kFewestPointsForGrowth ? "too few points to judge leaks" : "";
}

/// Returns what cannot be judged for lack of data: leaks, or failures that leave no event.
std::string unjudgedText(const DiagnosedRun& run, const Diagnosis& diagnosis)
{
    std::string text = unjudgedLeaks(diagnosis);
    if (partOf(diagnosis, ExaminedKind::Allocations) && hidesRefusals(run.trace, run.device->device))
        text += fmt::format(
            "{}refused requests leave no event (throw_on_cudamalloc_oom)", text.empty() ? "" : ", and ");
    return text;
}

/// Returns the sentence for a run without faults, with the examined data.
std::string cleanSentence(const Diagnosis& diagnosis)
{
    const std::string examined = examinedText(diagnosis.examined);
    const std::string unjudged = diagnosis.unjudged.empty() ? "" : "; " + diagnosis.unjudged;
    if (partOf(diagnosis, ExaminedKind::Allocations))
        return fmt::format("No fault found in {}{}.", examined, unjudged);
    if (partOf(diagnosis, ExaminedKind::Segments))
        return fmt::format("No fault found in {}; leaks cannot be judged without a history.", examined);
    return unjudged.empty() ? fmt::format("No failure, warning or leak in {}.", examined)
                            : fmt::format("No failure or warning in {}{}.", examined, unjudged);
}

std::string doubtsText(const DiagnosedRun& run)
{
    const auto doubts = std::ranges::count_if(run.findings, [](const Finding& finding) {
        return finding.kind == FindingKind::Fault && finding.grade == Grade::C;
    });
    return doubts == 0
        ? std::string()
        : fmt::format("{} {} listed.", counted(doubts, "guess at a fault", "guesses at faults"),
            doubts == 1 ? "is" : "are");
}

/// Returns "The file is cut off at byte 6,466, after 5 events".
std::string cutTitle(const DiagnosedRun& run)
{
    return cutOffTitle(
        run.device ? &run.device->about() : nullptr, run.figures ? &*run.figures : nullptr, run.cutOff);
}

void appendSentence(std::string& text, const std::string& more)
{
    if (!more.empty())
        text += (text.empty() ? "" : " ") + more;
}

/// Returns "At the end 9 MiB was in use; the events that could be read reach 6 MiB." Empty if they reach all
/// of it.
std::string unexplainedEnd(const DiagnosedRun& run)
{
    if (!run.figures || isPeakAtEvent(run.device->about(), *run.figures))
        return {};
    return fmt::format("At the end {} was in use; the events that could be read reach {}.",
        formatBytes(run.figures->finalBytes), formatBytes(run.figures->peakBytes));
}

/// Words the diagnosis of a file that is cut off and shows no fault: it clears nothing.
void wordCutOff(const DiagnosedRun& run, Diagnosis& diagnosis)
{
    const std::string peak = run.figures
        ? fmt::format(": the peak is {}", knownPeakText(*run.device, *run.figures))
        : std::string();
    diagnosis.sentence = fmt::format("{}{}.", cutTitle(run), peak);
    diagnosis.detail = unexplainedEnd(run);
    appendSentence(diagnosis.detail, doubtsText(run));
    diagnosis.next = kCutOffRemedy;
}

/// Words the diagnosis of a file whose totals may be wrong: it clears nothing.
void wordUntrusted(const DiagnosedRun& run, Diagnosis& diagnosis)
{
    const std::string peak = run.figures
        ? fmt::format(": totals such as the peak of {} may be wrong", formatBytes(run.figures->peakBytes))
        : std::string();
    diagnosis.sentence = fmt::format("{}{}.", run.doubt(), peak);
    diagnosis.detail = "Faults cannot be excluded.";
    appendSentence(diagnosis.detail, doubtsText(run));
    diagnosis.next = kDoubtfulTotalsRemedy;
}

/// Words the diagnosis of a run without faults. A fact may still save memory. A recording that starts late
/// has an action of its own, since an earlier peak may be missing.
void wordClean(const DiagnosedRun& run, Diagnosis& diagnosis)
{
    diagnosis.unjudged = unjudgedText(run, diagnosis);
    diagnosis.sentence = cleanSentence(diagnosis);
    if (diagnosis.opportunity) {
        const Finding& saving = run.findings[*diagnosis.opportunity];
        diagnosis.detail
            = fmt::format("Largest saving: {}{}. {}", saving.remedy.isUpperBound ? "at most " : "",
                formatBytes(saving.remedy.savedBytes), fullSentence(saving.remedy.action));
    }
    appendSentence(diagnosis.detail, peakText(run));
    appendSentence(diagnosis.detail, doubtsText(run));
    const auto late = std::ranges::find_if(run.findings, [](const Finding& finding) {
        return finding.rule == "capture-quality" && !finding.remedy.action.empty();
    });
    if (run.trace.metadata.startLost && late != run.findings.end())
        diagnosis.next = late->remedy.action;
}

/// Words the diagnosis of a recording without faults in which the driver refused memory. How much was
/// requested, and if the run failed by it, is not recorded.
void wordRefused(const DiagnosedRun& run, const ImportLogEntry& refusal, Diagnosis& diagnosis)
{
    constexpr std::string_view kNo = "No";
    diagnosis.unjudged = unjudgedText(run, diagnosis);
    diagnosis.sentence = fullSentence(upperFirst(refusal.message));
    diagnosis.detail = "How much was requested is not recorded.";
    appendSentence(diagnosis.detail, "No other" + cleanSentence(diagnosis).substr(kNo.size()));
    appendSentence(diagnosis.detail, peakText(run));
    diagnosis.next = "Record a memory snapshot of this run: it shows why a request fails";
}

std::string howToRecord(const Trace& trace)
{
    switch (trace.metadata.kind) {
    case TraceKind::KinetoTrace:
        return "Record the trace with profile_memory=True and record_shapes=True, or record a memory "
               "snapshot (highwater record prints how)";
    case TraceKind::NsysExport: return "Record with nsys profile --cuda-memory-usage=true";
    default:
        return "Record a memory snapshot (highwater record prints how), or log "
               "torch.cuda.memory_allocated() and memory_reserved() at each step";
    }
}

std::string noDataSentence(const Trace& trace)
{
    switch (trace.metadata.kind) {
    case TraceKind::Snapshot:
        return "The snapshot is empty: recording was off, or the GPU was not used. Nothing to judge.";
    case TraceKind::KinetoTrace:
    case TraceKind::MemoryTimeline: return "The trace has no memory events; nothing to judge.";
    case TraceKind::NsysExport: return "The export has no memory events; nothing to judge.";
    default: return "No GPU memory data in this file; nothing to judge.";
    }
}

/// Returns "48 MiB requested". Empty if the size is unknown, or if a finding about the failure has it.
std::string requestText(const Diagnosis& diagnosis)
{
    return !diagnosis.failure && diagnosis.named && diagnosis.requested
        ? formatBytes(*diagnosis.requested) + " requested"
        : std::string();
}

/// Returns "Memory ran out in step 14, at forward (model.py:39)."
std::string whereText(const DiagnosedRun& run, const LeadingFailure& leading, const Diagnosis& diagnosis)
{
    std::string where;
    if (leading.event) {
        const StepTable& steps = run.device->steps;
        const std::optional<std::size_t> step = steps.stepOf(leading.event->event);
        if (step && steps.source != StepSource::Whole)
            where = " in " + sanitizedText(steps.steps[*step].name);
    }
    if (diagnosis.place)
        where += fmt::format("{} at {}", where.empty() ? "" : ",", placeText(*diagnosis.place));
    const std::string request = requestText(diagnosis);
    if (where.empty() && request.empty())
        return {};
    return fmt::format("{}{}{}{}.",
        diagnosis.failure == diagnosis.named ? "The run failed" : "Memory ran out", where,
        request.empty() ? "" : ": ", request);
}

/// Returns the action of a finding, with that of the finding to which it refers.
std::string actionOf(const DiagnosedRun& run, const Finding& finding)
{
    const auto other = std::ranges::find(run.findings, finding.remedy.from, &Finding::rule);
    return finding.remedy.from.empty() || other == run.findings.end()
        ? finding.remedy.action
        : fullSentence(finding.remedy.action) + ' ' + other->remedy.action;
}

} // namespace

void wordDiagnosis(const DiagnosedRun& run, const LeadingFailure& leading, Diagnosis& diagnosis)
{
    const Finding* const named = diagnosis.named ? &run.findings[*diagnosis.named] : nullptr;
    if (diagnosis.diagnosed == DiagnosisClass::NothingExamined) {
        diagnosis.sentence = run.isCutOff()
            ? cutTitle(run) + ", and has no GPU memory data; nothing to judge."
            : noDataSentence(run.trace);
        diagnosis.next = run.isCutOff() ? std::string(kCutOffRemedy) : howToRecord(run.trace);
        return;
    }
    if (diagnosis.diagnosed == DiagnosisClass::CutOff) {
        wordCutOff(run, diagnosis);
        return;
    }
    if (diagnosis.diagnosed == DiagnosisClass::Untrusted) {
        wordUntrusted(run, diagnosis);
        return;
    }
    if (diagnosis.diagnosed == DiagnosisClass::Clean) {
        wordClean(run, diagnosis);
        return;
    }
    const ImportLogEntry* const refusal = driverRefusal(run.trace);
    if (diagnosis.diagnosed == DiagnosisClass::Warnings && !named && refusal) {
        wordRefused(run, *refusal, diagnosis);
        return;
    }
    if (named)
        diagnosis.sentence = fullSentence(named->title);
    else if (diagnosis.hasFailed() && run.ranks && !leading.isFound())
        diagnosis.sentence
            = run.ranks->sentences.empty() ? "Another rank ran out of memory." : run.ranks->sentences.front();
    else
        diagnosis.sentence = leading.message
            ? fmt::format("A memory failure ({}); nothing more is known.", placeText(*leading.message))
            : "The log warns about memory.";
    if (leading.isFound())
        diagnosis.sentence = withPlace(std::move(diagnosis.sentence), run, leading);
    if (run.isCutOff() && run.device)
        diagnosis.sentence = fmt::format("{}. {}", cutTitle(run), diagnosis.sentence);
    else if (!run.doubt().empty())
        diagnosis.sentence = fmt::format("{}. {}", run.doubt(), diagnosis.sentence);
    diagnosis.cause = failureDetail(leading, diagnosis);
    appendSentence(diagnosis.detail, diagnosis.cause);
    appendSentence(diagnosis.detail, unknownTensors(leading, diagnosis));
    appendSentence(diagnosis.detail, whereText(run, leading, diagnosis));
    if (!diagnosis.hasFailed() || (!run.figures && !hasOwnFigures(leading)))
        appendSentence(diagnosis.detail, peakText(run));
    if (named)
        diagnosis.next = actionOf(run, *named);
    if (diagnosis.next.empty() && diagnosis.failure)
        diagnosis.next = actionOf(run, run.findings[*diagnosis.failure]);
}

} // namespace highwater
