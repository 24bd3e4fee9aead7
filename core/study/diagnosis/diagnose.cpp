#include "core/study/diagnosis/diagnose.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/analysis/device/cut_off.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/study/diagnosis/diagnosis_words.h"
#include "core/study/diagnosis/examination.h"
#include "core/study/diagnosis/leading_failure.h"

// Chooses the class of a run's diagnosis and the finding that the diagnosis names. Input: the findings, the
// recorded device if there is one, and the logs. Idea: a failure comes first. If its figures show only that
// the request was too big, or no cause, another finding is named instead: a leak, memory outside PyTorch, or
// a fault without which the request would fit. For a run without a failure of memory, the diagnosis names the
// leak, else the fault that saves most, else another failure, else a warning.
//
// Example: a run failed because a request was too big and 1 GiB short. Its findings are the failure, a leak
// of 20 GiB of the 60 GiB in use, and a fault that would save 2 GiB. The leak is at least a quarter of the
// memory in use, so the diagnosis is Leak and names the leak. Without the leak, the class is TooBig, and the
// diagnosis names the fault, because its 2 GiB exceed the missing 1 GiB.

namespace highwater {

namespace {

constexpr std::array<std::string_view, 2> kGrowthRules{"growth", "retained-graph"};
constexpr std::array<std::string_view, 2> kWarningRules{"allocator-retries", "memory-warning"};
/// Shows which rank differs from the others, but not the cause.
constexpr std::string_view kOutlierRule = "rank-outlier";
constexpr std::string_view kOutsideRule = "outside-pytorch";
constexpr std::string_view kOtherRule = "other-failure"; ///< for failures that do not concern memory
/// The rule about a message that contradicts itself, which is not about a use of memory.
constexpr std::string_view kContradictionRule = "inconsistent-oom-text";

template <typename Rules>
bool isOneOf(const Rules& rules, const std::string& rule)
{
    return std::ranges::find(rules, rule) != rules.end();
}

/// True for a fault of grade A or B.
bool isReliableFault(const Finding& finding)
{
    return finding.kind == FindingKind::Fault && finding.grade != Grade::C;
}

/// True for a fault of grade A or B that is no failure, warning or contradicted message, and is not merged
/// into another finding.
bool isNameableFault(const Finding& finding)
{
    return isReliableFault(finding) && finding.mergedInto.empty() && !isFailure(finding)
        && !isOneOf(kWarningRules, finding.rule) && finding.rule != kContradictionRule;
}

/// True for a finding of grade A or B with an action that saves memory.
bool isOpportunity(const Finding& finding)
{
    return finding.grade != Grade::C && finding.mergedInto.empty() && !finding.remedy.action.empty()
        && finding.remedy.savedBytes > 0;
}

/// The index of a finding, if there is one.
using OptionalFinding = std::optional<std::size_t>;

template <typename Accepts>
OptionalFinding firstWhere(const std::vector<Finding>& findings, const Accepts& accepts)
{
    const auto found = std::ranges::find_if(findings, accepts);
    return found == findings.end() ? OptionalFinding()
                                   : OptionalFinding(static_cast<std::size_t>(found - findings.begin()));
}

/// Returns the largest accepted finding, by its saving, then by its bytes.
template <typename Accepts>
OptionalFinding largestWhere(const std::vector<Finding>& findings, const Accepts& accepts)
{
    const auto size
        = [&](std::size_t i) { return std::pair(findings[i].remedy.savedBytes, findings[i].bytes); };
    OptionalFinding largest;
    for (std::size_t i = 0; i < findings.size(); ++i)
        if (accepts(findings[i]) && (!largest || size(i) > size(*largest)))
            largest = i;
    return largest;
}

/// Returns the most memory in use; 0 if no file gives it.
Bytes mostInUse(const DiagnosedRun& run)
{
    if (run.figures)
        return peakLowerBound(run.device->about(), *run.figures);
    const std::optional<HighestFigure> highest = highestFigure(run.logs);
    return highest ? highest->bytes : 0;
}

/// Returns the largest finding about memory that steps keep, if it is at least a quarter of the memory in
/// use.
OptionalFinding findLeak(const DiagnosedRun& run)
{
    constexpr int kUseDivisor = 4;
    const Bytes leastBytes = mostInUse(run) / kUseDivisor;
    OptionalFinding leak;
    for (std::size_t i = 0; i < run.findings.size(); ++i) {
        const Finding& finding = run.findings[i];
        if (isNameableFault(finding) && isOneOf(kGrowthRules, finding.rule) && finding.bytes >= leastBytes
            && (!leak || finding.bytes > run.findings[*leak].bytes))
            leak = i;
    }
    return leak;
}

DiagnosisClass classOfKind(LogEvent::Kind kind)
{
    switch (kind) {
    case LogEvent::Kind::DriverOom: return DiagnosisClass::DriverOom;
    case LogEvent::Kind::EngineOom: return DiagnosisClass::EngineNoRoom;
    case LogEvent::Kind::HostOom: return DiagnosisClass::HostOom;
    case LogEvent::Kind::Unclear: return DiagnosisClass::Undecidable;
    case LogEvent::Kind::Oom:
    case LogEvent::Kind::Other:
    case LogEvent::Kind::Warning: break;
    }
    return DiagnosisClass::UnknownOom;
}

/// Returns the class of a failure; `finding` is the one about it, null if there is none.
DiagnosisClass classOf(const LeadingFailure& leading, const Finding* finding)
{
    if (!leading.event && leading.message && leading.message->kind != LogEvent::Kind::Oom)
        return classOfKind(leading.message->kind);
    if (finding && isFailure(*finding))
        return *failureClass(*finding);
    const bool hasFigures = leading.message && leading.message->figures;
    return hasFigures && readOom(*leading.message).cause == OomCause::OtherProcess
        ? DiagnosisClass::OtherProcess
        : DiagnosisClass::UnknownOom;
}

/// Returns the finding about memory outside PyTorch, if its bytes are at least the request and a quarter of
/// the device, according to the message. Returns nothing for a failure with an event.
OptionalFinding findOutsideMemory(const DiagnosedRun& run, const LeadingFailure& leading)
{
    constexpr int kDeviceDivisor = 4;
    if (leading.event || !leading.message || !leading.message->figures || !leading.message->figures->requested
        || !leading.message->figures->capacity)
        return {};
    const OomFigures& figures = *leading.message->figures;
    const Bytes leastBytes = std::max(figures.requested->bytes, figures.capacity->bytes / kDeviceDivisor);
    return firstWhere(run.findings, [&](const Finding& finding) {
        return finding.rule == kOutsideRule && isNameableFault(finding) && finding.bytes >= leastBytes
            && isAbout(finding, leading);
    });
}

/// Returns the first fault that saves at least the bytes missing for the failed request. If the advice of the
/// failure refers to a rule, only faults of that rule count; a rank that differs from the others never does.
/// Returns nothing for a failure without an event, or without a finding about it.
OptionalFinding findExplanation(
    const DiagnosedRun& run, const LeadingFailure& leading, const Diagnosis& diagnosis)
{
    if (!leading.event || !diagnosis.failureFinding)
        return {};
    const Finding& failure = run.findings[*diagnosis.failureFinding];
    const Bytes missing = std::max<Bytes>(failure.bytes, 1);
    return firstWhere(run.findings, [&](const Finding& finding) {
        const bool isOutsideAdvice = !failure.remedy.from.empty() && finding.rule != failure.remedy.from;
        return !isOutsideAdvice && isNameableFault(finding) && finding.rule != kOutlierRule
            && finding.remedy.savedBytes >= missing;
    });
}

void judgeFailure(const DiagnosedRun& run, const LeadingFailure& leading, Diagnosis& diagnosis)
{
    diagnosis.failureFinding = findingOf(leading, run.findings);
    diagnosis.named = diagnosis.failureFinding;
    diagnosis.diagnosed
        = classOf(leading, diagnosis.failureFinding ? &run.findings[*diagnosis.failureFinding] : nullptr);
    const bool isUnexplained
        = diagnosis.diagnosed == DiagnosisClass::TooBig || diagnosis.diagnosed == DiagnosisClass::UnknownOom;
    if (const OptionalFinding leak = findLeak(run); leak && isUnexplained) {
        diagnosis.diagnosed = DiagnosisClass::Leak;
        diagnosis.named = leak;
    } else if (const OptionalFinding outside = findOutsideMemory(run, leading); outside && isUnexplained) {
        diagnosis.diagnosed = DiagnosisClass::OtherProcess;
        diagnosis.named = outside;
    } else if (isUnexplained) {
        if (const OptionalFinding cause = findExplanation(run, leading, diagnosis))
            diagnosis.named = cause;
    }
}

void judgeWithoutFailure(const DiagnosedRun& run, Diagnosis& diagnosis)
{
    diagnosis.named = findLeak(run);
    if (!diagnosis.named)
        diagnosis.named = largestWhere(run.findings, isNameableFault);
    if (!diagnosis.named) // a fault that another finding explains is still a fault
        diagnosis.named = firstWhere(run.findings, [](const Finding& finding) {
            return isReliableFault(finding) && !isOneOf(kWarningRules, finding.rule);
        });
    // A warning that is a fact (a setting without effect) becomes the diagnosis only if the run has no data
    // to examine.
    const auto isWarning = [&](const Finding& finding) {
        return isOneOf(kWarningRules, finding.rule)
            && (finding.kind == FindingKind::Fault || diagnosis.examined.empty());
    };
    if (diagnosis.named) {
        diagnosis.diagnosed = DiagnosisClass::Fault;
    } else if (const OptionalFinding otherFailure
        = firstWhere(run.findings, [](const Finding& finding) { return finding.rule == kOtherRule; })) {
        diagnosis.diagnosed = DiagnosisClass::NotGpuMemory;
        diagnosis.named = otherFailure;
    } else if (const OptionalFinding warning = firstWhere(run.findings, isWarning)) {
        diagnosis.diagnosed = DiagnosisClass::Warnings;
        diagnosis.named = warning;
    } else if (driverRefusal(run.trace) && !diagnosis.examined.empty() && !run.isCutOff()
        && run.doubt().empty()) {
        diagnosis.diagnosed = DiagnosisClass::Warnings;
    } else {
        diagnosis.diagnosed = diagnosis.examined.empty() ? DiagnosisClass::NothingExamined
            : run.isCutOff()                             ? DiagnosisClass::CutOff
            : !run.doubt().empty()                       ? DiagnosisClass::Untrusted
                                                         : DiagnosisClass::Clean;
        if (diagnosis.diagnosed == DiagnosisClass::Clean)
            diagnosis.opportunity = largestWhere(run.findings, isOpportunity);
    }
}

std::optional<Bytes> bytesOf(const std::optional<WrittenBytes>& written)
{
    return written ? std::optional(written->bytes) : std::nullopt;
}

/// Adds the capacity from logs if none is known. Without a failure, also adds the device of the named
/// finding, else the device of the highest figure, and the rank of the highest figure if no other is known.
void addFiguresOfLogs(const DiagnosedRun& run, const LeadingFailure& leading, Diagnosis& diagnosis)
{
    for (const RunLog& log : run.logs)
        if (const std::optional<Bytes> capacity = loggedCapacity(*log.trace); !diagnosis.capacity)
            diagnosis.capacity = capacity;
    if (leading.isFound())
        return;
    if (diagnosis.named)
        diagnosis.device = run.findings[*diagnosis.named].device;
    if (const std::optional<HighestFigure> highest = highestFigure(run.logs)) {
        if (!diagnosis.device)
            diagnosis.device = highest->device;
        if (!diagnosis.rank)
            diagnosis.rank = highest->rank;
    }
}

void addFigures(const DiagnosedRun& run, const LeadingFailure& leading, Diagnosis& diagnosis)
{
    if (run.device)
        diagnosis.device = run.device->about().ordinal;
    diagnosis.rank = run.rank;
    diagnosis.capacity = run.capacity;
    if (leading.message) {
        if (leading.message->rank)
            diagnosis.rank = leading.message->rank;
        if (const std::optional<OomFigures>& figures = leading.message->figures) {
            diagnosis.requested = bytesOf(figures->requested);
            diagnosis.free = bytesOf(figures->free);
            if (figures->capacity)
                diagnosis.capacity = figures->capacity->bytes;
            if (!run.device)
                diagnosis.device = figures->device;
        }
    }
    if (leading.event) {
        diagnosis.requested = leading.event->requestedBytes;
        if (leading.event->deviceFreeBytes != OomEvent::kUnknown)
            diagnosis.free = leading.event->deviceFreeBytes;
    }
    if (!run.device)
        addFiguresOfLogs(run, leading, diagnosis);
    if (diagnosis.named)
        diagnosis.bytes = run.findings[*diagnosis.named].bytes;
    else if (const Bytes most = mostInUse(run); most > 0)
        diagnosis.bytes = most;
}

} // namespace

Diagnosis diagnose(const DiagnosedRun& run)
{
    Diagnosis diagnosis;
    diagnosis.examined = examinedData(run);
    diagnosis.worst = firstWhere(run.findings, isNameableFault);
    const LeadingFailure leading = leadingFailure(run);
    diagnosis.failureCount = leading.count;
    diagnosis.fatal = leading.fatal;
    if (leading.isFound()) {
        judgeFailure(run, leading, diagnosis);
        diagnosis.place = placeOf(leading, run);
    } else if (leading.count > 0) {
        diagnosis.diagnosed = DiagnosisClass::UnknownOom; // another rank's failure
    } else {
        judgeWithoutFailure(run, diagnosis);
    }
    addFigures(run, leading, diagnosis);
    wordDiagnosis(run, leading, diagnosis);
    return diagnosis;
}

std::vector<std::size_t> readingOrder(const std::vector<Finding>& findings, const Diagnosis& diagnosis)
{
    std::vector<std::size_t> order(findings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return readsBefore(findings[a], findings[b]); });
    if (diagnosis.named)
        std::stable_partition(
            order.begin(), order.end(), [&](std::size_t i) { return i == *diagnosis.named; });
    return order;
}

} // namespace highwater
