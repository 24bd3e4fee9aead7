#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/allocator/script_reader.h"
#include "core/analysis/allocator/settings_advice.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/analysis/segments/allocator_moment.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Findings, and lines that one of them names, of logs that repeat themselves without end.
constexpr std::size_t kMostOfALog = 64;

std::string_view ruleOf(OomCause cause)
{
    switch (cause) {
    case OomCause::Fragmentation: return "fragmentation";
    case OomCause::Divided: return "divided-free-memory";
    default: return "too-big";
    }
}

/// Of a device that is as good as full, using the rest well would only have put the failure off.
std::string_view ruleOf(const OomVerdict& verdict)
{
    return verdict.isNearlyFull() ? "too-big" : ruleOf(verdict.cause);
}

/// What could be said of an out-of-memory event by its cause; nothing for causes that are not known.
bool isDecided(OomCause cause)
{
    return cause == OomCause::Fragmentation || cause == OomCause::TooBig || cause == OomCause::Divided;
}

void addRemedy(const OomVerdict& verdict, Finding& finding)
{
    if (finding.rule == "too-big") {
        finding.remedy.action = verdict.cause == OomCause::TooBig
            ? "Make this much go from what is alive at the failure: no setting of the allocator makes room "
              "for it"
            : "Make some of what is alive go: a setting of the allocator would at best put the failure off";
        finding.wouldDisprove = "Free bytes that the file does not show";
        return;
    }
    if (verdict.cause == OomCause::Divided) {
        finding.remedy.action = "Let this much more go: then the request fits in one piece";
        finding.wouldDisprove = "A free run as large as the request in a segment of its pool and stream";
        return;
    }
    finding.remedy.action = "Keep long-lived tensors out of the segments of large short-lived ones: make "
                            "them first, or free what pins these segments";
    if (verdict.cheapest)
        finding.remedy.action += fmt::format("; in the cheapest place {} of {} blocks are in the way",
            formatBytes(verdict.cheapest->bytesInTheWay), formatCount(verdict.cheapest->blocksInTheWay));
    finding.remedy.savedBytes = verdict.requestedBytes;
    finding.wouldDisprove = "A free run as large as the request in a segment of its pool and stream";
}

Bytes bytesOf(const OomVerdict& verdict)
{
    switch (verdict.cause) {
    case OomCause::TooBig: return verdict.missingBytes;
    case OomCause::Fragmentation:
        return verdict.isNearlyFull() ? verdict.requestedBytes : verdict.servingFreeBytes;
    case OomCause::Divided:
        return verdict.isNearlyFull()
            ? verdict.requestedBytes
            : verdict.requestedBytes - std::max(verdict.deviceFreeBytes, verdict.servingLargestFree);
    default: return verdict.requestedBytes;
    }
}

std::string titleOf(const Trace& trace, const OomVerdict& verdict)
{
    if (verdict.isNearlyFull() && verdict.cause != OomCause::TooBig)
        return fmt::format(
            "Memory ran out because the device was full: {} asked for, {} alive of {} within reach",
            formatBytes(verdict.requestedBytes), formatBytes(verdict.liveBytes),
            formatBytes(verdict.reachableBytes()));
    return fmt::format("Memory ran out, {}", sentenceOf(trace, verdict));
}

void addEvidence(const DetectorInput& input, const AllocatorMoment& moment, Finding& finding)
{
    const OomVerdict& verdict = *moment.verdict;
    finding.addEvidence(EventTarget{verdict.event}, headlineOf(moment));
    if (verdict.isNearlyFull())
        finding.addEvidence(EventTarget{verdict.event}, sentenceOf(input.study->trace, verdict));
    if (const std::string obstacle = obstacleOf(verdict, moment.state); !obstacle.empty())
        finding.addEvidence(verdict.cheapest ? EvidenceTarget(SegmentTarget{
                                moment.state.segments[verdict.cheapest->segment].range.begin, verdict.event})
                                             : EvidenceTarget(),
            obstacle);
    for (const std::string& reservation : reservations(moment.state))
        finding.addEvidence({}, reservation);
    if (input.figures.ooms.size() > 1)
        finding.addEvidence({}, "{} requests failed; this is the last", input.figures.ooms.size());
}

/// Adds settings with which the request fits, proven by a replay of the run, if there are any.
void addProvenSettings(
    const DetectorInput& input, const SegmentHistory& history, const OomVerdict& verdict, Finding& finding)
{
    const DeviceStudy& study = *input.study;
    const Result<AllocationScript> script = allocationScript(
        history, study.curve, knownCapacity(study.about(), input.figures.ooms, study.curve));
    if (!script)
        return;
    const SettingsStudy settings = settingsAdvice(*script);
    if (settings.advice.empty() || settings.advice.front().fittingFailures == 0)
        return;
    const SettingsAdvice& best = settings.advice.front();
    finding.remedy = {
        fmt::format(
            "Set PYTORCH_CUDA_ALLOC_CONF={}: in a replay of the run the request fits then, with {} to spare",
            best.change, formatBytes(best.result.leastSpareBytes())),
        verdict.requestedBytes};
    finding.addEvidence({}, "Of {} other settings {} let it fit; the replay with the recorded ones {}",
        formatCount(settings.tried),
        std::ranges::count_if(
            settings.advice, [](const SettingsAdvice& advice) { return advice.fittingFailures > 0; }),
        sentenceOf(settings.fidelity));
}

std::vector<Finding> findOfEvent(const DetectorInput& input, const OomEvent& oom)
{
    const LiveIndex live(input.study->allocations);
    const SegmentHistory history(input.study->trace, input.study->allocations, live);
    const AllocatorMoment moment = allocatorMomentAt(history, oom.event);
    const OomVerdict& verdict = *moment.verdict;
    if (!isDecided(verdict.cause))
        return {};
    Finding finding = findingOf(input, ruleOf(verdict), Grade::A, FindingKind::Fault);
    if (!moment.state.isExact() || (verdict.cause == OomCause::Divided && !verdict.isNearlyFull()))
        finding.grade = Grade::B;
    placeAt(finding, input, oom.event);
    finding.bytes = bytesOf(verdict);
    finding.title = titleOf(input.study->trace, verdict);
    addEvidence(input, moment, finding);
    addRemedy(verdict, finding);
    if (finding.rule != "too-big")
        addProvenSettings(input, history, verdict, finding);
    return {std::move(finding)};
}

/// What the message says was missing, or free and of no use.
Bytes bytesOf(const OomFigures& figures, const OomReading& reading)
{
    const Bytes unallocated = reading.unallocated ? reading.unallocated->bytes : 0;
    const Bytes free = figures.free ? figures.free->bytes : 0;
    const Bytes requested = figures.requested ? figures.requested->bytes : 0;
    return reading.cause == OomCause::Fragmentation ? unallocated
                                                    : std::max<Bytes>(0, requested - unallocated - free);
}

/// The same from the figures of a message, which are rounded and do not tell where the free bytes are.
Finding findingOfMessage(const LogEvent& event, const OomReading& reading, std::size_t companion)
{
    Finding finding{.rule = std::string(ruleOf(reading.cause)),
        .grade = reading.cause == OomCause::Fragmentation ? Grade::C : Grade::B,
        .device = event.figures->device,
        .bytes = bytesOf(*event.figures, reading)};
    finding.title = fmt::format("Memory ran out ({}), {}", placeText(event), reading.verdict);
    finding.addEvidence(LogLineTarget{companion, event.line}, figuresText(*event.figures));
    finding.remedy.action
        = "Record a memory snapshot of this run: it shows what is alive when the request fails";
    finding.wouldDisprove = "A snapshot at the failure with other figures";
    return finding;
}

/// One finding for failures of one request, as ranks have them together.
void addFromLog(const DetectorInput& input, std::size_t companion, std::vector<Finding>& all)
{
    const Trace& log = *input.companions[companion].trace;
    std::map<std::pair<OomCause, Bytes>, std::size_t> known;
    for (const LogFailure& failure : logFailures(log)) {
        const LogEvent& event = log.logEvents[failure.event];
        if (!event.figures || !event.figures->requested)
            continue;
        const OomReading reading = readOom(*event.figures);
        if ((reading.cause != OomCause::Fragmentation && reading.cause != OomCause::TooBig)
            || !reading.contradictions.empty())
            continue;
        const auto [entry, isNew]
            = known.try_emplace({reading.cause, event.figures->requested->bytes}, all.size());
        if (isNew && all.size() == kMostOfALog)
            return;
        if (isNew)
            all.push_back(findingOfMessage(event, reading, companion));
        else if (all[entry->second].evidence.size() < kMostOfALog)
            all[entry->second].addEvidence(
                LogLineTarget{companion, event.line}, "also {}: {}", placeText(event), reading.verdict);
    }
}

} // namespace

std::vector<Finding> findOutOfMemory(const DetectorInput& input)
{
    std::vector<Finding> all;
    if (input.study && !input.figures.ooms.empty() && input.study->about().tellsSegments())
        all = findOfEvent(input, input.figures.ooms.back());
    for (std::size_t i = 0; all.empty() && i < input.companions.size(); ++i)
        addFromLog(input, i, all);
    return all;
}

} // namespace highwater
