#include "core/study/diagnosis/diagnosis_words.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/doubtful_totals.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/base/text/name_text.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/study/diagnosis/clean_words.h"
#include "core/study/diagnosis/examination.h"

namespace highwater {

namespace {

/// Returns "Live tensors leave too little room; there is no leak in 14 steps.", or, if another finding is the
/// cause, "Without this fault, the failed request would fit."
std::string causeOfTooBig(const LeadingFailure& leading, const Finding* named, const Diagnosis& diagnosis)
{
    if (!leading.event)
        return {};
    if (named && diagnosis.named != diagnosis.failureFinding)
        return fmt::format(
            "Without this fault, the failed request {} fit.", named->remedy.isUpperBound ? "might" : "would");
    const std::string leak = noLeakText(diagnosis);
    return fmt::format("Live tensors leave too little room{}.", leak.empty() ? "" : "; there is " + leak);
}

/// Returns the largest call sites: "At the peak, backward (model.py:105) holds 2 GiB (32%) in 16 allocations;
/// …"; empty if they are unknown.
std::string largestAtPeak(const DiagnosedRun& run)
{
    constexpr std::size_t maxNamed = 2;
    const auto peak = std::ranges::find(run.findings, "peak-summary", &Finding::rule);
    if (peak == run.findings.end())
        return {};
    std::vector<std::string> parts;
    for (const Evidence& evidence : peak->evidence)
        if (std::holds_alternative<SiteTarget>(evidence.target) && parts.size() < maxNamed)
            parts.push_back(evidence.sentence);
    return parts.empty() ? std::string() : fmt::format("At the peak, {}.", fmt::join(parts, "; "));
}

/// Returns "Without the leak, the peak would be 8.63 GiB, in step 0."; empty if that is
/// unknown. The place shows why this is more than the peak less what leaked: another moment becomes the peak.
std::string peakWithoutLeak(const DiagnosedRun& run, const Finding* leak)
{
    if (!run.figures || !leak || leak->remedy.savedBytes <= 0)
        return {};
    std::string place;
    if (run.device && leak->remedy.removed)
        place = run.device->placeText(UsageCurve(run.device->curve, *leak->remedy.removed).peak().event);
    return fmt::format("Without the leak, the peak would be {}{}{}.",
        formatBytes(run.figures->peakBytes - leak->remedy.savedBytes), place.empty() ? "" : ", ", place);
}

/// Returns what keeps or allocates the memory of the finding that the diagnosis names:
/// "9.7 GiB of the kept memory comes from policy_log_probs (trainer.py:186), …", else its first evidence
/// about allocations, "Copy 2 is allocated by …", or about the cause of a logged failure, "The GPU had 120
/// MiB of 79.19 GiB free, …". Empty if it has none, or if the title names the only line.
std::string causeOf(const Finding& named)
{
    constexpr std::size_t maxNamed = 3;
    if (named.keepers.size() == 1 && contains(named.title, withCallMarks(named.keepers.front().line)))
        return {};
    std::string origins;
    for (std::size_t i = 0; i < std::min(named.keepers.size(), maxNamed); ++i)
        origins += fmt::format("{}{}{} from {}", i > 0 ? ", " : "", formatBytes(named.keepers[i].bytes),
            i > 0 ? "" : " of the kept memory comes", withCallMarks(named.keepers[i].line));
    std::vector<std::string> sentences;
    if (!origins.empty())
        sentences.push_back(fullSentence(origins));
    else
        for (const Evidence& evidence : named.evidence)
            if (evidence.isCause
                || (std::holds_alternative<AllocationsTarget>(evidence.target) && !evidence.isContext))
                sentences.push_back(fullSentence(evidence.sentence));
    std::string text;
    for (std::size_t i = 0; i < std::min(sentences.size(), maxNamed); ++i)
        appendSentence(text, sentences[i]);
    return text;
}

std::string failureDetail(
    const DiagnosedRun& run, const LeadingFailure& leading, const Finding* named, const Diagnosis& diagnosis)
{
    switch (diagnosis.diagnosed) {
    case DiagnosisClass::Leak: return peakWithoutLeak(run, named);
    case DiagnosisClass::TooBig: return causeOfTooBig(leading, named, diagnosis);
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

/// True if the message of the failure gives the memory in use then. The records of the log are older.
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

/// Returns the number of ranks whose recordings have a failure.
std::ptrdiff_t failedRanks(const RankTable& ranks)
{
    return std::ranges::count_if(ranks.rows, [&](const RankRow& row) {
        const RankDevice* const device = ranks.deviceOf(row);
        return device && device->oomCount > 0;
    });
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
/// GPU 0 (rank 0): …", "4 GPUs ran out of memory; 38.8 GiB of the GPU's 60 GiB is used outside …".
std::string withFailed(const std::string& failed, std::string sentence)
{
    constexpr std::string_view kFailed = "Out of memory";
    return sentence.starts_with(kFailed)
        ? fmt::format("{} ran out of memory, first{}", failed, sentence.substr(kFailed.size()))
        : fmt::format("{} ran out of memory; {}", failed, lowerFirst(std::move(sentence)));
}

/// Adds the rank or the GPU that failed, if the run has several and the sentence does not name it: "Of 4
/// ranks, only rank 2 ran out of memory: …", "2 of 4 ranks ran out of memory; rank 0: …", "Out of memory on
/// GPU 1: …". For a log of several failed ranks it adds their number.
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
        if (!saysOutOfMemory)
            return fmt::format("R{}: {}", rank, lowerFirst(std::move(sentence)));
        const std::string cause = sentence.substr(kFailed.size());
        const std::ptrdiff_t failed = failedRanks(*run.ranks);
        if (failed > 1)
            return fmt::format("{} of {} ranks ran out of memory; rank {}:{}", formatCount(failed),
                formatCount(run.ranks->files.size()), *run.rank, cause);
        return failed == 1 ? fmt::format("Of {} ranks, only r{} ran out of memory:{}",
                   formatCount(run.ranks->files.size()), rank, cause)
                           : fmt::format("R{} ran out of memory:{}", rank, cause);
    }
    if (saysOutOfMemory && run.device && usedGpus(run.trace) > 1)
        return fmt::format(
            "Out of memory on GPU {}:{}", run.device->about().ordinal, sentence.substr(kFailed.size()));
    return sentence;
}

/// Returns "48 MiB requested". Empty if the size is unknown, or if a finding about the failure has it.
std::string requestText(const Diagnosis& diagnosis)
{
    return !diagnosis.failureFinding && diagnosis.named && diagnosis.requested
        ? formatBytes(*diagnosis.requested) + " requested"
        : std::string();
}

/// Returns "Memory ran out in step 14, at forward (model.py:39)."
std::string whereText(const DiagnosedRun& run, const LeadingFailure& leading, const Diagnosis& diagnosis)
{
    std::string where;
    if (leading.event)
        where = run.device->steps.placeText(leading.event->event);
    if (diagnosis.place)
        where
            += fmt::format("{}at {}", where.empty() ? "" : ", ", withCallMarks(placeText(*diagnosis.place)));
    const std::string request = requestText(diagnosis);
    if (where.empty() && request.empty())
        return {};
    return fmt::format("{}{}{}{}{}.",
        diagnosis.failureFinding == diagnosis.named ? "The run failed" : "Memory ran out",
        where.empty() ? "" : " ", where, request.empty() ? "" : ": ", request);
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
    if (wordWithoutFault(run, diagnosis))
        return;
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
    if (diagnosis.hasFailed() && named)
        diagnosis.cause = causeOf(*named);
    const std::string detail = failureDetail(run, leading, named, diagnosis);
    if (diagnosis.cause.empty()) {
        diagnosis.cause = detail;
        if (diagnosis.diagnosed == DiagnosisClass::TooBig)
            appendSentence(diagnosis.cause, largestAtPeak(run));
    }
    appendSentence(diagnosis.detail, detail);
    appendSentence(diagnosis.detail, unknownTensors(leading, diagnosis));
    appendSentence(diagnosis.detail, whereText(run, leading, diagnosis));
    if (!diagnosis.hasFailed() || (!run.figures && !hasOwnFigures(leading)))
        appendSentence(diagnosis.detail, peakText(run));
    if (named)
        diagnosis.next = actionOf(run, *named);
    if (diagnosis.next.empty() && diagnosis.failureFinding)
        diagnosis.next = actionOf(run, run.findings[*diagnosis.failureFinding]);
}

} // namespace highwater
