#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/allocator/script_reader.h"
#include "core/analysis/allocator/settings_advice.h"
#include "core/analysis/composition/composition.h"
#include "core/analysis/detectors/failures/logged_failures.h"
#include "core/analysis/detectors/failures/logged_gpu.h"
#include "core/analysis/detectors/failures/message_title.h"
#include "core/analysis/detectors/failures/oom_cause_words.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The largest users of memory at a failure.
struct Holders
{
    /// ". At this point update_nodes (models.py:174) holds 29.68 GiB, and 73.1 GiB is activations"; may be
    /// empty
    std::string text;
    Bytes activationBytes = 0; ///< if activations are at least half of the live bytes; else 0
};

Holders holdersAt(const DeviceStudy& study, std::int64_t event)
{
    const auto compositionBy = [&](GroupKey key) {
        return compositionAt(study.trace, study.allocations, study.sites, event, key, &study.categories);
    };
    Holders holders;
    std::vector<std::string> parts;
    const Composition bySite = compositionBy(GroupKey::Site);
    if (const CompositionGroup* largest = largestGroupWithSite(study, bySite))
        parts.push_back(fmt::format("{} holds {}", study.sites.site(study.sites.of(largest->example)).label,
            formatBytes(largest->bytes)));
    const Composition byCategory = compositionBy(GroupKey::Category);
    if (!byCategory.groups.empty() && 2 * byCategory.groups.front().bytes >= byCategory.bytes) {
        const CompositionGroup& largest = byCategory.groups.front();
        const Category category = study.categories.of(largest.example);
        holders.activationBytes = category == Category::Activation ? largest.bytes : Bytes{0};
        if (!isUncategorized(category))
            parts.push_back(fmt::format("{} is {}", formatBytes(largest.bytes), titleOf(category)));
    }
    if (!parts.empty())
        holders.text = fmt::format(". At this point {}", fmt::join(parts, ", and "));
    return holders;
}

/// Returns the advice for a failure in which live memory alone is too much: how much to free, which users are
/// largest, and which means help.
std::string freeingAction(const OomVerdict& verdict, const Holders& holders)
{
    if (holders.activationBytes > verdict.missingBytes && verdict.cause == OomCause::TooBig)
        return fmt::format(
            "Use a smaller batch or activation checkpointing: this has to free at least {}, {} of "
            "the activations; no allocator setting helps{}",
            formatBytes(verdict.missingBytes), formatShare(verdict.missingBytes, holders.activationBytes),
            holders.text);
    const std::string action = verdict.missingBytes > 0
        ? fmt::format("Free at least {} before this point", formatBytes(verdict.missingBytes))
        : "Free some of what is in use before this point";
    return action
        + (verdict.cause == OomCause::Full ? "; an allocator setting would only delay the failure"
                                           : "; no allocator setting helps")
        + holders.text;
}

/// Returns the advice for a request that fits if a little more is free in one piece. Memory that is freed
/// elsewhere may not be in that piece, so the advice promises nothing.
std::string makingRoomAction(const OomVerdict& verdict, const Holders& holders)
{
    const Bytes forSegment = verdict.segmentBytes - verdict.deviceFreeBytes;
    const Bytes forBlock = verdict.requestedBytes - verdict.servingLargestFree;
    const Bytes bytes = std::min(forSegment, forBlock);
    return fmt::format("{}: the request needs {} more than {}{}",
        holders.activationBytes > bytes ? "Lower the batch" : "Free more before this point",
        formatBytes(bytes), forSegment <= forBlock ? "the GPU has free" : "the largest usable block has",
        holders.text);
}

Bytes bytesOfVerdict(const OomVerdict& verdict)
{
    switch (verdict.cause) {
    case OomCause::TooBig: return verdict.missingBytes;
    case OomCause::Full: return verdict.missingBytes > 0 ? verdict.missingBytes : verdict.requestedBytes;
    case OomCause::Fragmentation: return verdict.servingFreeBytes;
    case OomCause::Divided:
        return std::min(verdict.segmentBytes - verdict.deviceFreeBytes,
            verdict.requestedBytes - verdict.servingLargestFree);
    default: return verdict.requestedBytes;
    }
}

void addRemedy(const DeviceStudy& study, const OomVerdict& verdict, Finding& finding)
{
    const bool isTooMuch = verdict.cause == OomCause::TooBig || verdict.cause == OomCause::Full;
    finding.remedy.action
        = isTooMuch ? freeingAction(verdict, holdersAt(study, verdict.event)) : actionForCause(verdict.cause);
    if (verdict.cause == OomCause::Divided)
        finding.remedy.action = makingRoomAction(verdict, holdersAt(study, verdict.event));
    if (verdict.cause == OomCause::ProcessCap && !verdict.limit)
        finding.remedy.action = "Look in the script for a limit of the process "
                                "(torch.cuda.set_per_process_memory_fraction), and raise it";
    finding.wouldDisprove = causeDisproof(verdict.cause);
    if (verdict.cause != OomCause::Fragmentation)
        return;
    if (verdict.cheapest)
        finding.remedy.action += fmt::format("; freeing {} ({}) in the best segment is enough",
            counted(verdict.cheapest->blocksInTheWay, "block", "blocks"),
            formatBytes(verdict.cheapest->bytesInTheWay));
    finding.remedy.savedBytes = verdict.requestedBytes;
}

Grade gradeOfMoment(const AllocatorMoment& moment)
{
    const OomVerdict& verdict = *moment.verdict;
    const bool isInferred = verdict.cause == OomCause::Divided || verdict.cause == OomCause::OtherPool
        || (verdict.cause == OomCause::ProcessCap && !verdict.limit);
    return !moment.state.isExact() || isInferred ? Grade::B : Grade::A;
}

/// Adds the figures that only the message in a log has: of the whole GPU, and of all of its processes.
void addLoggedEvidence(const DetectorInput& input, const LoggedGpu& logged, Finding& finding)
{
    if (!logged.failure)
        return;
    LogEvent message = input.auxiliaryFiles[logged.failure->file].trace->logEvents[logged.failure->event];
    OomFigures figures;
    figures.capacity = message.figures->capacity;
    figures.processUsed = message.figures->processUsed;
    figures.otherProcesses = message.figures->otherProcesses;
    message.figures = std::move(figures);
    finding.addEvidence(LogLineTarget{logged.failure->file, message.line}, messageLine(message));
}

void addAllocatorEvidence(const DetectorInput& input, const AllocatorMoment& moment, Finding& finding)
{
    const OomVerdict& verdict = *moment.verdict;
    finding.addEvidence(EventTarget{verdict.event}, upperFirst(momentHeadline(moment)));
    if (const std::string obstacle = clearingSentence(verdict, moment.state); !obstacle.empty())
        finding.addEvidence(verdict.cheapest ? EvidenceTarget(SegmentTarget{
                                moment.state.segments[verdict.cheapest->segment].range.begin, verdict.event})
                                             : EvidenceTarget(),
            obstacle);
    for (const std::string& reservation : reservations(moment.state))
        finding.addEvidence({}, reservation);
    if (input.figures.ooms.size() > 1)
        finding.addEvidence({}, "{} requests failed; this is the last", input.figures.ooms.size());
}

/// Recommends the allocator setting with which the request fits, as proven by a replay of the run, if there
/// is one.
void addProvenSettings(
    const DetectorInput& input, const SegmentHistory& history, const OomVerdict& verdict, Finding& finding)
{
    const DeviceStudy& study = *input.study;
    const Result<AllocationScript> script = allocationScript(
        history, study.curve, knownCapacity(study.about(), input.figures.ooms, study.curve));
    if (!script)
        return;
    const SettingsStudy settings = lastingAdvice(*script, study.curve, study.steps);
    const auto makesRequestFit = [&](const SettingsAdvice& advice) {
        return std::ranges::any_of(advice.result.failures,
            [&](const FailureOutcome& outcome) { return outcome.event == verdict.event && outcome.fits; });
    };
    const auto found = std::ranges::find_if(settings.advice, makesRequestFit);
    if (found == settings.advice.end())
        return;
    const SettingsAdvice& fittingAdvice = *found;
    finding.remedy = {fmt::format("{}: in a replay the request then fits with {} to spare",
                          settingAction(fittingAdvice), formatBytes(fittingAdvice.result.leastSpareBytes())),
        verdict.requestedBytes};
    finding.remedy.setting = fittingAdvice.change;
    std::vector<std::string> others;
    for (const SettingsAdvice& advice : settings.advice)
        if (&advice != &fittingAdvice && makesRequestFit(advice))
            others.push_back(advice.change.starts_with("without ") ? advice.change : "with " + advice.change);
    if (!others.empty())
        finding.addEvidence({}, "In a replay the request also fits {}", fmt::join(others, ", or "));
    if (!settings.fidelity.isExact())
        finding.addEvidence({}, "The replay with the recorded settings {}", sentenceOf(settings.fidelity));
}

std::vector<Finding> findingsOfEvent(const DetectorInput& input, const OomEvent& oom)
{
    const LiveIndex live(input.study->allocations);
    const SegmentHistory history(input.study->trace, input.study->allocations, live);
    const LoggedGpu logged = loggedGpu(*input.study, input.auxiliaryFiles);
    const AllocatorMoment moment = allocatorMomentAt(history, oom.event, {}, logged.processLimit);
    const OomVerdict& verdict = *moment.verdict;
    const std::string_view knownRule = causeRule(verdict.cause);
    const std::string_view rule = knownRule.empty() ? "out-of-memory" : knownRule;
    Finding finding = findingOf(input, rule, gradeOfMoment(moment), FindingKind::Fault);
    placeAt(finding, input, oom.event);
    finding.bytes = bytesOfVerdict(verdict);
    finding.title = failureTitle(verdict);
    if (const std::string requester = requesterChain(input.study->trace, verdict); !requester.empty())
        finding.addEvidence(EventTarget{oom.event}, "The request comes from {}", requester);
    if (const std::string detail = causeDetail(input.study->trace, verdict); !detail.empty())
        finding.addEvidence({}, upperFirst(detail));
    addLoggedEvidence(input, logged, finding);
    addAllocatorEvidence(input, moment, finding);
    addRemedy(*input.study, verdict, finding);
    if (rule == "fragmentation" || rule == "divided-free-memory")
        addProvenSettings(input, history, verdict, finding);
    return {std::move(finding)};
}

/// Makes the finding for a trace without allocator state.
Finding findingWithoutAllocator(const DetectorInput& input, const OomEvent& oom)
{
    Finding finding = findingOf(input, "out-of-memory", Grade::A, FindingKind::Fault);
    placeAt(finding, input, oom.event);
    finding.bytes = oom.requestedBytes;
    finding.title = fmt::format("Out of memory: {} requested with {} in use{}",
        formatBytes(oom.requestedBytes), formatBytes(input.study->curve.at(oom.event)),
        oom.deviceFreeBytes == OomEvent::kUnknown
            ? ""
            : fmt::format(", {} free on the GPU", formatBytes(oom.deviceFreeBytes)));
    finding.addEvidence(EventTarget{oom.event}, "The file does not record the allocator's free memory");
    finding.remedy.action = "Record a memory snapshot of this run: it shows why the request fails";
    finding.wouldDisprove = "Wrong if a snapshot at the failure shows other figures";
    return finding;
}

} // namespace

std::vector<Finding> findOutOfMemory(const DetectorInput& input)
{
    std::vector<Finding> findings;
    const bool hasEvent = input.study && !input.figures.ooms.empty();
    if (hasEvent && input.study->about().canDeriveSegments())
        return findingsOfEvent(input, input.figures.ooms.back());
    addLoggedFailures(input, findings);
    if (findings.empty() && hasEvent)
        findings.push_back(findingWithoutAllocator(input, input.figures.ooms.back()));
    return findings;
}

} // namespace highwater
