#include "importers/summary/summary_check.h"

#include <algorithm>

#include "importers/summary/summary_format.h"

namespace highwater {

namespace {

/// 4 TiB, more than any device has: a sum over as many rows as a table may have does not overflow.
constexpr Bytes kMostBytes = Bytes{1} << 42;
constexpr std::int64_t kMostEvents = std::int64_t{1} << 40;
constexpr std::size_t kMostCategories = 64;

bool isSize(Bytes bytes)
{
    return bytes >= 0 && bytes <= kMostBytes;
}

bool isEvent(std::int64_t event)
{
    return event >= -1 && event <= kMostEvents;
}

bool isStepOf(const RankSummary& summary, std::int64_t step)
{
    return step >= -1 && step < std::ssize(summary.steps);
}

bool isKnownStack(const RankSummary& summary, SummaryStack stack)
{
    return stack == kNoSummaryStack || stack < summary.nodes.size();
}

bool isDevice(const SummaryDevice& device)
{
    return device.kind >= 0 && device.kind <= static_cast<int>(DeviceKind::Other) && device.quantity >= 0
        && device.quantity <= static_cast<int>(Quantity::DeviceUsed) && isSize(device.peakBytes)
        && isEvent(device.peakEvent) && isEvent(device.events) && isSize(device.reservedPeakBytes)
        && isSize(device.capacityBytes.value_or(0));
}

bool isStep(const SummaryStep& step)
{
    return isEvent(step.begin) && isEvent(step.end) && isEvent(step.peakEvent) && step.begin >= 0
        && step.begin <= step.end && isSize(step.startBytes) && isSize(step.peakBytes)
        && isSize(step.endBytes);
}

bool areMoments(const RankSummary& summary)
{
    const SummaryMoments& moments = summary.moments;
    if (moments.size() == 0 || moments.event.front() != -1 || moments.event.back() > kMostEvents
        || summary.categories.size() > kMostCategories || summary.clock < 0
        || summary.clock > static_cast<int>(Clock::Own))
        return false;
    const auto ascends = std::ranges::adjacent_find(moments.event, std::greater_equal<>());
    return ascends == moments.event.end() && std::ranges::all_of(moments.reserved, isSize)
        && std::ranges::all_of(moments.byCategory,
            [](const std::vector<Bytes>& bytes) { return std::ranges::all_of(bytes, isSize); });
}

bool areStacks(const RankSummary& summary)
{
    for (const SummaryFrame& frame : summary.frames)
        if (frame.function >= summary.strings.size() || frame.file >= summary.strings.size())
            return false;
    for (std::size_t i = 1; i < summary.nodes.size(); ++i)
        if (summary.nodes[i].frame >= summary.frames.size() || summary.nodes[i].caller >= i)
            return false;
    return !summary.nodes.empty();
}

bool isAllocation(const RankSummary& summary, const SummaryAllocation& allocation)
{
    const std::size_t moments = summary.moments.size();
    return isSize(allocation.bytes) && allocation.count > 0 && isKnownStack(summary, allocation.stack)
        && allocation.category < summary.categories.size() && allocation.birth < moments
        && (allocation.death == SummaryAllocation::kNever
            || (allocation.death < moments && allocation.birth < allocation.death));
}

} // namespace

std::string firstSummaryProblem(const RankSummary& summary, bool tables)
{
    if (!isDevice(summary.device))
        return "its device";
    if (!std::ranges::all_of(summary.steps, isStep))
        return "its steps";
    if (!std::ranges::all_of(summary.sites, [](const SummarySite& site) { return isSize(site.bytes); })
        || !isSize(summary.restBytes))
        return "its call sites";
    for (const SummaryFinding& finding : summary.findings)
        if (!isStepOf(summary, finding.step))
            return "its findings";
    for (const SummaryOom& oom : summary.ooms)
        if (!isEvent(oom.event) || !isSize(oom.requestedBytes) || !isStepOf(summary, oom.step)
            || (tables && !isKnownStack(summary, oom.stack)))
            return "its failures";
    if (!tables)
        return {};
    if (!areStacks(summary))
        return "its stacks";
    if (!areMoments(summary))
        return "its curve";
    for (const SummaryAllocation& allocation : summary.allocations)
        if (!isAllocation(summary, allocation))
            return "its allocations";
    return {};
}

} // namespace highwater
