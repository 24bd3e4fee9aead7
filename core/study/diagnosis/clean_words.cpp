#include "core/study/diagnosis/clean_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/allocator/recorded_settings.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/doubtful_totals.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/study/diagnosis/examination.h"

namespace highwater {

namespace {

/// The fewest steps in which memory that stays is found at all: `findStillRising` compares two whole steps
/// before another one, and finds 0.5% of the peak per step or more.
constexpr std::int64_t kFewestStepsForFastLeaks = 4;
constexpr std::int64_t kFewestStepsForLeaks = 6; ///< steps that `findGrowth` needs
constexpr std::int64_t kFewestPointsForGrowth = 10; ///< points of a log's series that `findGrowthInLog` needs

const Examined* findExamined(const Diagnosis& diagnosis, ExaminedKind kind)
{
    const auto found = std::ranges::find(diagnosis.examined, kind, &Examined::what);
    return found == diagnosis.examined.end() ? nullptr : &*found;
}

/// Returns why leaks cannot be judged; empty if they can be.
std::string unjudgedLeaks(const Diagnosis& diagnosis)
{
    if (const Examined* const allocations = findExamined(diagnosis, ExaminedKind::Allocations)) {
        const std::int64_t steps = allocations->steps.value_or(0);
        return steps >= kFewestStepsForLeaks ? ""
            : steps >= kFewestStepsForFastLeaks
            ? fmt::format("{} steps are too few to exclude a slow leak", steps)
            : "too few steps to judge leaks";
    }
    const Examined* const series = findExamined(diagnosis, ExaminedKind::Series);
    return series && series->points < kFewestPointsForGrowth ? "too few points to judge leaks" : "";
}

/// Returns what cannot be judged for lack of data: leaks, or failures that leave no event.
std::string unjudgedText(const DiagnosedRun& run, const Diagnosis& diagnosis)
{
    std::string text = unjudgedLeaks(diagnosis);
    if (findExamined(diagnosis, ExaminedKind::Allocations) && hidesRefusals(run.trace, run.device->device))
        text += fmt::format(
            "{}refused requests leave no event (throw_on_cudamalloc_oom)", text.empty() ? "" : ", and ");
    return text;
}

/// Returns the sentence for a run without faults, with the examined data.
std::string cleanSentence(const Diagnosis& diagnosis)
{
    const std::string examined = examinedText(diagnosis.examined);
    const std::string unjudged = diagnosis.unjudged.empty() ? "" : "; " + diagnosis.unjudged;
    if (findExamined(diagnosis, ExaminedKind::Allocations))
        return fmt::format("No fault found in {}{}.", examined, unjudged);
    if (findExamined(diagnosis, ExaminedKind::Segments))
        return fmt::format("No fault found in {}; leaks cannot be judged without a history.", examined);
    return unjudged.empty() ? fmt::format("No failure, warning or leak in {}.", examined)
                            : fmt::format("No failure or warning in {}{}.", examined, unjudged);
}

/// Returns "Up to 987.17 MiB (26% of the peak) can be saved: use chunked or fused cross-entropy, …"
std::string opportunityText(const DiagnosedRun& run, const Remedy& remedy)
{
    return fmt::format("{}{}{} can be saved: {}",
        remedy.isUpperBound       ? "Up to "
            : remedy.isLowerBound ? "At least "
                                  : "",
        formatBytes(remedy.savedBytes),
        !remedy.setting.empty() ? " of reserved memory"
            : run.figures
            ? fmt::format(" ({} of the peak)", formatShare(remedy.savedBytes, run.figures->peakBytes))
            : "",
        lowerFirst(fullSentence(remedy.action)));
}

/// Returns "2 guesses at faults are listed."; empty if there are none.
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

/// Explains a total at the end that no readable event reaches; empty if the highest total is at an event.
std::string unexplainedEnd(const DiagnosedRun& run)
{
    if (!run.figures || isPeakAtEvent(run.device->about(), *run.figures))
        return {};
    return fmt::format("The readable events account for at most {} of the {} in use at the end; the rest was "
                       "allocated before the first of them or after the cut, so the peak may be higher.",
        formatBytes(run.figures->peakBytes), formatBytes(run.figures->finalBytes));
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
    if (diagnosis.opportunity)
        diagnosis.detail = opportunityText(run, run.findings[*diagnosis.opportunity].remedy);
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

} // namespace

std::string peakText(const DiagnosedRun& run)
{
    if (run.figures && run.figures->peakBytes > 0) {
        const auto peak = std::ranges::find(run.findings, "peak-summary", &Finding::rule);
        if (peak != run.findings.end())
            return fullSentence(peak->title);
        return fmt::format("The peak is {}.", knownPeakText(*run.device, *run.figures));
    }
    const std::optional<HighestFigure> highest = highestFigure(run.logs);
    if (!highest)
        return {};
    std::string text = fmt::format("The highest {} is {}.",
        highest->sampled ? "sample of GPU memory" : "GPU memory in the log", highest->text);
    appendSentence(text, contradictionText(run.logs));
    return text;
}

std::string noLeakText(const Diagnosis& diagnosis)
{
    const Examined* const allocations = findExamined(diagnosis, ExaminedKind::Allocations);
    return allocations && allocations->steps && *allocations->steps >= kFewestStepsForLeaks
        ? fmt::format("no leak in {}", counted(*allocations->steps, "step", "steps"))
        : std::string();
}

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

bool wordWithoutFault(const DiagnosedRun& run, Diagnosis& diagnosis)
{
    const ImportLogEntry* const refusal = driverRefusal(run.trace);
    switch (diagnosis.diagnosed) {
    case DiagnosisClass::NothingExamined:
        diagnosis.sentence = run.isCutOff()
            ? cutTitle(run) + ", and has no GPU memory data; nothing to judge."
            : noDataSentence(run.trace);
        diagnosis.next = run.isCutOff() ? std::string(kCutOffRemedy) : howToRecord(run.trace);
        return true;
    case DiagnosisClass::CutOff: wordCutOff(run, diagnosis); return true;
    case DiagnosisClass::Untrusted: wordUntrusted(run, diagnosis); return true;
    case DiagnosisClass::Clean: wordClean(run, diagnosis); return true;
    default:
        if (diagnosis.diagnosed != DiagnosisClass::Warnings || diagnosis.named || !refusal)
            return false;
        wordRefused(run, *refusal, diagnosis);
        return true;
    }
}

} // namespace highwater
