#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "core/analysis/allocator/recorded_settings.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/doubtful_totals.h"
#include "core/analysis/device/lost_start.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/trace/rehearsed.h"

namespace highwater {

namespace {

/// A smaller share of the peak without stacks is normal: autograd threads and libraries record none.
constexpr double kShareWithoutStack = 0.25;

Finding qualityFinding(const DetectorInput& input, Bytes bytes, std::string title)
{
    Finding finding = findingOf(input, "capture-quality", Grade::A, FindingKind::Fact);
    finding.bytes = bytes;
    finding.title = std::move(title);
    return finding;
}

/// Sums the live allocations at an event that satisfy `condition`.
template <typename Condition>
Bytes bytesAt(const DeviceStudy& study, std::int64_t event, Condition condition)
{
    Bytes bytes = 0;
    for (const AllocationIndex i : study.allocations.liveAt(event))
        bytes += condition(i) ? study.allocations.bytes(i) : 0;
    return bytes;
}

void addNoHistory(const DetectorInput& input, std::vector<Finding>& findings)
{
    if (input.study->trace.metadata.hasHistory || !input.study->about().hasFinalSegments)
        return;
    Finding finding = qualityFinding(
        input, input.figures.finalBytes, "No history was recorded: the file shows one moment, not the peak");
    finding.addEvidence({}, "The file has {} and {}",
        counted(input.figures.finalLiveCount, "block", "blocks"),
        counted(input.figures.eventCount, "event", "events"));
    finding.remedy.action = "Call torch.cuda.memory._record_memory_history() before the model is built, then "
                            "take the snapshot again";
    findings.push_back(std::move(finding));
}

void addLostStart(const DetectorInput& input, std::vector<Finding>& findings)
{
    const DeviceStudy& study = *input.study;
    const std::optional<LostStart> lost = lostStart(study.allocations);
    if (!input.hasHistory() || !lost)
        return;
    const bool isRecorder = study.about().hasFinalSegments;
    const Bytes olderBytes = bytesAt(study, input.figures.peakEvent,
        [&](AllocationIndex i) { return i < study.allocations.olderCount(); });
    Finding finding = qualityFinding(input, olderBytes,
        fmt::format("{}: {} at the peak was allocated before it, and an earlier peak may have been higher",
            lostStartTitle(isRecorder), formatBytes(olderBytes)));
    placeAt(finding, input, input.figures.peakEvent);
    if (isRecorder)
        finding.addEvidence(EventTarget{-1},
            "The history buffer (max_entries) overflowed: it holds the last {} events",
            formatCount(input.figures.eventCount));
    else
        finding.addEvidence(EventTarget{-1},
            "The recording has {} events, and this memory was in use when they begin",
            formatCount(input.figures.eventCount));
    if (isRecorder)
        finding.addEvidence(EventTarget{0}, "{}", upperFirst(toText(*lost)));
    finding.remedy.action = isRecorder ? "Record with a larger max_entries, or fewer steps"
                                       : "Start the profiler before the model is built";
    finding.wouldDisprove = "Wrong if a recording from the start of the run shows the same peak";
    findings.push_back(std::move(finding));
}

bool hasNoStack(const DeviceStudy& study, AllocationIndex i)
{
    const SiteId site = study.sites.of(i);
    if (!study.about().hasFinalSegments && i < study.allocations.olderCount())
        return false; // no profiler setting records stacks for these
    return study.sites.kind(site) == SiteKind::NoStack || study.sites.isFreed(site);
}

/// Adds a sentence for each cause of missing stacks, most bytes first. A block was allocated before recording
/// began, or by a backward thread that runs no Python, or it was recorded without frames. Returns true if the
/// first cause has most bytes.
bool addCausesOfMissingStacks(const DeviceStudy& study, std::int64_t event, Finding& finding)
{
    enum Cause : std::size_t
    {
        Older,
        Backward,
        NoContext
    };
    static constexpr std::array<std::string_view, 3> kSentences = {"{} was allocated before recording began",
        "{} was allocated by backward: its threads run no Python, and C++ frames were not recorded",
        "{} was recorded without frames"};
    std::array<Bytes, 3> bytes{};
    const bool someHaveFrames = study.trace.stacks.nodeCount() > 1;
    for (const AllocationIndex i : study.allocations.liveAt(event)) {
        if (!hasNoStack(study, i))
            continue;
        const Cause cause = i < study.allocations.olderCount()                                 ? Older
            : someHaveFrames && study.phases.at(study.allocations.birth(i)) == Phase::Backward ? Backward
                                                                                               : NoContext;
        bytes[cause] += study.allocations.bytes(i);
    }
    std::array<Cause, 3> order = {Older, Backward, NoContext};
    std::ranges::stable_sort(order, std::greater(), [&](Cause cause) { return bytes[cause]; });
    for (const Cause cause : order)
        if (bytes[cause] > 0)
            finding.addEvidence(
                EventTarget{event}, fmt::format(fmt::runtime(kSentences[cause]), formatBytes(bytes[cause])));
    return order.front() == Older;
}

/// Returns how to record the missing stacks. No option adds those of blocks that are older than the
/// recording.
std::string_view stackAction(const TraceMetadata& metadata, bool isRecorder, bool areMostlyOlder)
{
    if (isRecorder && !metadata.hasHistory)
        return "Record the history with stacks from before the model is built";
    if (areMostlyOlder)
        return "Start recording before the model is built";
    if (!rehearsedText(metadata).empty())
        return "Rehearse with --stacks all";
    return isRecorder ? "Record with stacks=\"all\"" : "Profile with with_stack=True";
}

void addMissingStacks(const DetectorInput& input, std::vector<Finding>& findings)
{
    const DeviceStudy& study = *input.study;
    const bool isRecorder = study.about().hasFinalSegments;
    const Bytes bytesWithoutStack
        = bytesAt(study, input.figures.peakEvent, [&](AllocationIndex i) { return hasNoStack(study, i); });
    if (static_cast<double>(bytesWithoutStack)
            < kShareWithoutStack * static_cast<double>(input.figures.peakBytes)
        || bytesWithoutStack == 0
        || (isRecorder && !input.hasHistory())) // the missing history has its own finding
        return;
    Finding finding = qualityFinding(input, bytesWithoutStack,
        fmt::format("{} ({}) of the peak has no stack, so its place in the code is unknown",
            formatBytes(bytesWithoutStack), formatShare(bytesWithoutStack, input.figures.peakBytes)));
    if (totalsAreLowerBounds(study.about()))
        finding.grade = Grade::B; // the share refers only to the known bytes
    placeAt(finding, input, input.figures.peakEvent);
    const bool areMostlyOlder = addCausesOfMissingStacks(study, input.figures.peakEvent, finding);
    finding.remedy.action = stackAction(study.trace.metadata, isRecorder, areMostlyOlder);
    findings.push_back(std::move(finding));
}

void addHiddenRefusals(const DetectorInput& input, std::vector<Finding>& findings)
{
    if (!input.hasHistory() || !input.figures.ooms.empty()
        || !hidesRefusals(input.study->trace, input.study->device))
        return;
    Finding finding = qualityFinding(
        input, 0, "A request that throw_on_cudamalloc_oom refuses leaves no event: one may have failed");
    finding.addEvidence({}, "The recorded settings have throw_on_cudamalloc_oom:True");
    finding.remedy.action = "Open the log with the recording, or log num_oom_rejections of "
                            "torch.cuda.memory_stats(): they show refused requests";
    finding.wouldDisprove = "Wrong if the log has no such message to the end";
    findings.push_back(std::move(finding));
}

bool isCutOff(const DetectorInput& input)
{
    return !input.cutOff.empty() || input.study->trace.metadata.cutOff;
}

void addCutOff(const DetectorInput& input, std::vector<Finding>& findings)
{
    const DeviceStudy& study = *input.study;
    const Bytes leastPeakBytes = peakLowerBound(study.about(), input.figures);
    if (!isCutOff(input) || leastPeakBytes <= 0)
        return;
    // The verdict of the run has the place of the cut.
    Finding finding
        = qualityFinding(input, leastPeakBytes, upperFirst(cutOffEffect(study.trace, study.device)));
    if (study.trace.metadata.cutOff)
        finding.addEvidence({}, memoryAtCutEnd(study.about(), input.figures));
    finding.remedy.action = kCutOffRemedy;
    findings.push_back(std::move(finding));
}

void addInconsistencies(const DetectorInput& input, std::vector<Finding>& findings)
{
    Finding finding = qualityFinding(input, input.figures.peakBytes, {});
    for (const ImportLogEntry& entry : input.study->trace.log.entries())
        if (makesTotalsDoubtful(entry.code))
            finding.addEvidence(
                {}, "{}: {} [{}]", counted(entry.count, "time", "times"), entry.message, entry.code);
    if (finding.evidence.empty())
        return;
    finding.title = fmt::format("{}: totals such as the peak of {} may be wrong",
        doubtOfTotals(input.study->trace), formatBytes(input.figures.peakBytes));
    finding.remedy.action = kDoubtfulTotalsRemedy;
    findings.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> findCaptureQuality(const DetectorInput& input)
{
    std::vector<Finding> findings;
    addNoHistory(input, findings);
    addLostStart(input, findings);
    addMissingStacks(input, findings);
    addHiddenRefusals(input, findings);
    addCutOff(input, findings);
    if (!isCutOff(input))
        addInconsistencies(input, findings);
    return findings;
}

} // namespace highwater
