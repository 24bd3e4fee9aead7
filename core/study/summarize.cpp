#include "core/study/summarize.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/segments/fragmentation.h"
#include "core/analysis/stacks/no_stacks.h"
#include "core/analysis/steps/growth.h"
#include "core/base/text_format.h"
#include "core/study/summary_moments.h"
#include "core/study/summary_stacks.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxSites = 256;
constexpr std::size_t kMaxOoms = 16;

SummarySource describeSource(const RunStudy& study)
{
    SummarySource source;
    source.name = study.name();
    source.format = toText(study.trace().metadata.kind);
    source.cutOff = study.parts().cutOff;
    for (DeviceIndex i = 0; i < study.trace().devices.size(); ++i) {
        if (i == study.device()->device || study.trace().eventCount(i) == 0)
            continue;
        source.otherDevices += fmt::format("{}{} (peak {})", source.otherDevices.empty() ? "" : ", ",
            study.trace().devices[i].label(), formatBytes(deviceFigures(study.trace(), i).peakBytes));
    }
    return source;
}

/// Adds the allocator's state at the peak.
void addSegments(const DeviceStudy& study, const DeviceFigures& figures, SummaryDevice& device)
{
    if (!study.about().canDeriveSegments() || study.allocations.quantity() != study.about().quantity)
        return;
    const LiveIndex live(study.allocations);
    const SegmentState state = SegmentHistory(study.trace, study.allocations, live).at(figures.peakEvent);
    if (!state.recorded)
        return;
    const Fragmentation fragmentation = measureFragmentation(study.trace, state);
    device.peakReservedBytes = state.reservedBytes;
    device.peakFreeBytes = state.freeBytes;
    device.peakLargestFreeBytes = fragmentation.all.largestFree;
    device.peakPinnedFreeBytes = fragmentation.heldFreeBytes;
    device.peakReleasableBytes = fragmentation.releasableBytes;
}

SummaryDevice describeDevice(const DeviceStudy& study, const DeviceFigures& figures)
{
    const Device& info = study.about();
    SummaryDevice device;
    device.kind = static_cast<int>(info.kind);
    device.ordinal = info.ordinal;
    device.label = info.label();
    device.name = info.name;
    device.quantity = static_cast<int>(study.allocations.quantity());
    device.events = figures.eventCount;
    device.segments = figures.segmentCount;
    device.blocks = figures.blockCount;
    device.peakBytes = figures.peakBytes;
    device.peakEvent = figures.peakEvent;
    device.peakBlocks = figures.peakLiveCount;
    device.tellsReserved = info.recordsReserved();
    device.reservedPeakBytes = figures.reservedPeakBytes;
    device.capacityBytes = info.capacity;
    addSegments(study, figures, device);
    return device;
}

SummaryStackFacts describeStackFacts(const DeviceStudy& study)
{
    SummaryStackFacts facts;
    facts.noStacks = noStacksReason(study.trace);
    const AllocationTable& allocations = study.allocations;
    for (AllocationIndex i = 0; i < allocations.olderCount() && !facts.freesCarryAllocationStacks; ++i)
        facts.freesCarryAllocationStacks = allocations.stackOrigin(i) == StackOrigin::Allocation;
    return facts;
}

std::vector<SummaryStep> describeSteps(const StepTable& table)
{
    std::vector<SummaryStep> steps;
    for (const Step& step : table.steps)
        steps.push_back({step.name, std::string(toText(step.source)), std::string(toText(step.grade)),
            std::string(toText(step.peakPhase)), step.isComplete, step.isCounted(), step.begin, step.end,
            step.startBytes, step.peakBytes, step.peakEvent, step.endBytes});
    return steps;
}

std::vector<SummaryFinding> describeFindings(const RunStudy& study)
{
    std::vector<SummaryFinding> findings;
    for (const Finding& finding : study.findings()) {
        SummaryFinding summaryFinding;
        summaryFinding.rule = finding.rule;
        summaryFinding.grade = toText(finding.grade);
        summaryFinding.isFault = finding.kind == FindingKind::Fault;
        summaryFinding.title = finding.title;
        summaryFinding.bytes = finding.bytes;
        summaryFinding.event = finding.event;
        summaryFinding.step = finding.step ? static_cast<std::int64_t>(*finding.step) : -1;
        for (const Evidence& evidence : finding.evidence)
            summaryFinding.evidence.push_back(evidence.sentence);
        summaryFinding.action = finding.remedy.action;
        summaryFinding.savedBytes = finding.remedy.savedBytes;
        summaryFinding.isUpperBound = finding.remedy.isUpperBound;
        summaryFinding.isLowerBound = finding.remedy.isLowerBound;
        summaryFinding.wouldDisprove = finding.wouldDisprove;
        summaryFinding.mergedInto = finding.mergedInto;
        findings.push_back(std::move(summaryFinding));
    }
    return findings;
}

void addSites(const DeviceStudy& study, std::int64_t event, RankSummary& summary)
{
    Composition sites = compositionAt(study.trace, study.allocations, study.sites, event, GroupKey::Site);
    for (std::size_t i = 0; i < sites.groups.size(); ++i) {
        CompositionGroup& group = sites.groups[i];
        if (i < kMaxSites) {
            summary.sites.push_back({std::move(group.key), group.bytes, group.count});
        } else {
            summary.restBytes += group.bytes;
            summary.restCount += group.count;
        }
    }
}

/// Adds the stack of a failed request, and its origin.
void addStack(const DeviceStudy& study, SummaryStacks& stacks, SummaryOom& oom)
{
    if (oom.event < 0 || oom.event >= study.trace.eventCount(study.device))
        return;
    const std::size_t row = study.trace.row(study.device, oom.event);
    if (study.trace.events.action[row] != Action::Oom)
        return;
    const StackId stack = study.trace.events.stack[row];
    oom.stack = stacks.copy(stack);
    oom.site = requesterText(study.trace, stack);
}

void addOoms(
    const DeviceStudy& study, const DeviceFigures& figures, SummaryStacks& stacks, RankSummary& summary)
{
    for (std::size_t i = 0; i < figures.ooms.size() && i < kMaxOoms; ++i) {
        const OomEvent& oomEvent = figures.ooms[i];
        SummaryOom oom;
        oom.event = oomEvent.event;
        oom.requestedBytes = oomEvent.requestedBytes;
        oom.deviceFreeBytes = oomEvent.deviceFreeBytes;
        if (const auto step = study.steps.stepOf(oomEvent.event))
            oom.step = static_cast<std::int64_t>(*step);
        if (oomEvent.event >= 0 && study.about().times == TimeQuality::Ordered)
            oom.time = study.trace.events.time[study.trace.row(study.device, oomEvent.event)];
        addStack(study, stacks, oom);
        summary.ooms.push_back(std::move(oom));
    }
}

/// Returns the index of the first moment at or after an event.
std::uint32_t momentOf(const std::vector<std::int64_t>& events, std::int64_t event)
{
    return static_cast<std::uint32_t>(std::ranges::lower_bound(events, event) - events.begin());
}

SummaryAllocation summaryAllocation(const DeviceStudy& study, const std::vector<std::int64_t>& events,
    AllocationIndex i, SummaryStacks& stacks)
{
    const AllocationTable& allocations = study.allocations;
    SummaryAllocation allocation;
    allocation.bytes = allocations.bytes(i);
    allocation.stack = stacks.copy(allocations.stack(i));
    allocation.category = static_cast<std::uint32_t>(study.categories.of(i));
    allocation.birth = allocations.birth(i) < 0 ? 0 : momentOf(events, allocations.birth(i));
    // An allocation freed after the last moment counts as never freed.
    if (allocations.death(i) <= events.back())
        allocation.death = momentOf(events, allocations.death(i));
    return allocation;
}

/// Adds the `singleCount` largest allocations one by one. Others are joined if stack, category and lifetime
/// are equal.
void addAllocations(const DeviceStudy& study, const DeviceFigures& figures, std::size_t singleCount,
    SummaryStacks& stacks, RankSummary& summary)
{
    std::vector<AllocationIndex> live = study.allocations.liveAt(figures.peakEvent);
    std::ranges::stable_sort(live, [&](AllocationIndex a, AllocationIndex b) {
        return study.allocations.bytes(a) > study.allocations.bytes(b);
    });
    using JoinKey = std::tuple<SummaryStack, std::uint32_t, std::uint32_t, std::uint32_t>;
    std::map<JoinKey, SummaryAllocation> joined;
    for (std::size_t i = 0; i < live.size(); ++i) {
        const SummaryAllocation entry = summaryAllocation(study, summary.moments.event, live[i], stacks);
        if (i < singleCount) {
            summary.allocations.push_back(entry);
            continue;
        }
        const auto [found, isNew]
            = joined.try_emplace({entry.stack, entry.category, entry.birth, entry.death}, entry);
        if (!isNew) {
            found->second.bytes += entry.bytes;
            ++found->second.count;
        }
    }
    for (const auto& [key, allocation] : joined)
        summary.allocations.push_back(allocation);
}

std::vector<std::string> describeLimits(const RankSummary& summary, std::size_t live, bool stepMoments)
{
    std::vector<std::string> limits;
    const std::int64_t eventCount = summary.device.events;
    const std::string curve = std::ssize(summary.moments.event) > eventCount
        ? std::string("the curve is whole")
        : fmt::format("the curve is exact at {} moments of {} events", formatCount(summary.moments.size()),
            formatCount(eventCount));
    limits.push_back(curve + "; memory in use is known by call site at the peak, and by category elsewhere");
    if (summary.allocations.size() < live)
        limits.push_back(fmt::format(
            "of the {} allocations at the peak, the largest are listed and the others are summed by stack",
            formatCount(live)));
    if (!stepMoments && summary.steps.size() > 1)
        limits.emplace_back("the curve omits the peaks of some steps; the figures of steps are exact");
    limits.emplace_back("segments, addresses, streams and pools are only in the recording");
    if (!summary.source.otherDevices.empty())
        limits.push_back("other devices are only in the recording: " + summary.source.otherDevices);
    return limits;
}

void addMetadata(const TraceMetadata& metadata, RankSummary& summary)
{
    summary.producer = metadata.producer;
    summary.settings = metadata.settings;
    summary.configuration = metadata.configuration;
    summary.clock = static_cast<int>(metadata.clock);
}

} // namespace

RankSummary summarize(const RunStudy& run, const SummaryDetail& detail)
{
    const DeviceStudy& study = *run.device();
    const DeviceFigures& figures = *run.figures();
    RankSummary summary;
    summary.source = describeSource(run);
    summary.device = describeDevice(study, figures);
    summary.stackFacts = describeStackFacts(study);
    summary.stepReason = study.steps.reason;
    summary.steps = describeSteps(study.steps);
    if (const std::optional<StepGrowth> growth = growthPerStep(study.steps)) {
        summary.growthPerStep = growth->bytesPerStep;
        summary.growthSteps = static_cast<std::int64_t>(growth->lastStep - growth->firstStep);
    }
    summary.findings = describeFindings(run);
    addMetadata(study.trace.metadata, summary);
    summary.importLog = study.trace.log.entries();
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        summary.categories.emplace_back(toText(static_cast<Category>(i)));
    addSites(study, figures.peakEvent, summary);
    summary.moments
        = summaryMoments(study, summaryEvents(study, figures, detail.columns, detail.stepMoments));
    SummaryStacks stacks(study.trace, summary);
    addOoms(study, figures, stacks, summary);
    addAllocations(study, figures, detail.allocations, stacks, summary);
    summary.limits
        = describeLimits(summary, static_cast<std::size_t>(figures.peakLiveCount), detail.stepMoments);
    return summary;
}

} // namespace highwater
