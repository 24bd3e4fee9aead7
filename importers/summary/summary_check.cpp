#include "importers/summary/summary_check.h"

#include <algorithm>
#include <array>
#include <span>

#include "importers/summary/summary_format.h"

namespace highwater {

namespace {

/// Largest size, 4 TiB: more than any device has, and a sum over the largest table does not overflow.
constexpr Bytes kLargestSize = Bytes{1} << 42;
constexpr Bytes kLargestAmount = Bytes{1} << 56;
constexpr std::int64_t kLargestCount = std::int64_t{1} << 40;
// Far more than any summary has, and few enough to compare each with all others.
constexpr std::size_t kMaxCategories = 64;
constexpr std::size_t kMaxSources = 64; ///< sources for the rank
constexpr std::size_t kMaxFailures = 1'000;
constexpr std::size_t kMaxMessages = 10'000;

bool isSize(Bytes bytes)
{
    return bytes >= 0 && bytes <= kLargestSize;
}

/// Allows more than `isSize`, and negative numbers, because mistaken requests and sums of findings may exceed
/// any machine's memory.
bool isAmount(Bytes bytes)
{
    return bytes >= -kLargestAmount && bytes <= kLargestAmount;
}

bool isCount(std::int64_t count)
{
    return count >= 0 && count <= kLargestCount;
}

/// True for an event of any device; −1 is the state before the first event.
bool isEvent(std::int64_t event)
{
    return event >= -1 && event <= kLargestCount;
}

/// Like `isEvent`, for an event of the summary's device.
bool isEventOf(const RankSummary& summary, std::int64_t event)
{
    return event >= -1 && event < summary.device.events;
}

/// Accepts −1 for no step.
bool isStepOf(const RankSummary& summary, std::int64_t step)
{
    return step >= -1 && step < std::ssize(summary.steps);
}

bool isKnownStack(const RankSummary& summary, SummaryStack stack)
{
    return stack == kNoSummaryStack || stack < summary.nodes.size();
}

bool isIdentity(const RankSummary& summary)
{
    const RankIdentity& identity = summary.identity;
    const auto isNumber = [](std::optional<std::int64_t> number) {
        return number.value_or(0) >= 0 && number.value_or(0) <= kLargestStoredNumber;
    };
    return identity.found.size() <= kMaxSources && isNumber(identity.rank) && isNumber(identity.step)
        && isNumber(identity.tp) && isNumber(identity.pp) && isNumber(identity.dp) && isNumber(identity.ep);
}

bool isDevice(const RankSummary& summary)
{
    const SummaryDevice& device = summary.device;
    return device.kind >= 0 && device.kind <= static_cast<int>(DeviceKind::Other) && device.quantity >= 0
        && device.quantity <= static_cast<int>(Quantity::DeviceUsed) && isCount(device.events)
        && isCount(device.segments) && isCount(device.blocks) && isCount(device.peakBlocks)
        && isEventOf(summary, device.peakEvent) && isSize(device.peakBytes)
        && isSize(device.reservedPeakBytes) && isSize(device.capacityBytes.value_or(0))
        && isSize(device.peakReservedBytes.value_or(0)) && isSize(device.peakFreeBytes.value_or(0))
        && isSize(device.peakLargestFreeBytes.value_or(0)) && isSize(device.peakPinnedFreeBytes.value_or(0))
        && isSize(device.peakReleasableBytes.value_or(0));
}

/// True if the steps tile the events: each has some, and begins where the previous one ends.
bool areSteps(const RankSummary& summary)
{
    std::int64_t end = 0;
    for (const SummaryStep& step : summary.steps) {
        if (step.begin != end || step.end <= step.begin || step.peakEvent < step.begin - 1
            || step.peakEvent >= step.end || !isSize(step.startBytes) || !isSize(step.peakBytes)
            || !isSize(step.endBytes))
            return false;
        end = step.end;
    }
    return summary.steps.empty() || end == summary.device.events;
}

bool isGrowth(const RankSummary& summary)
{
    return isAmount(summary.growthPerStep.value_or(0)) && isCount(summary.growthSteps);
}

bool areSites(const RankSummary& summary)
{
    return std::ranges::all_of(summary.sites,
               [](const SummarySite& site) { return isSize(site.bytes) && isCount(site.count); })
        && isSize(summary.restBytes) && isCount(summary.restCount);
}

bool areFindings(const RankSummary& summary)
{
    return std::ranges::all_of(summary.findings, [&](const SummaryFinding& finding) {
        return isEvent(finding.event) && isStepOf(summary, finding.step) && isAmount(finding.bytes)
            && isAmount(finding.savedBytes);
    });
}

bool areMessages(const RankSummary& summary)
{
    return summary.importLog.size() <= kMaxMessages
        && std::ranges::all_of(
            summary.importLog, [](const ImportLogEntry& entry) { return isCount(entry.count); });
}

bool areFailures(const RankSummary& summary)
{
    return summary.ooms.size() <= kMaxFailures
        && std::ranges::all_of(summary.ooms, [&](const SummaryOom& oom) {
               return isEvent(oom.event) && isStepOf(summary, oom.step) && isStoredTime(oom.time)
                   && oom.requestedBytes >= 0 && isAmount(oom.requestedBytes)
                   && (oom.deviceFreeBytes == -1 || isSize(oom.deviceFreeBytes));
           });
}

bool isClock(const RankSummary& summary)
{
    return summary.clock >= 0 && summary.clock <= static_cast<int>(Clock::Own);
}

bool areStacks(const RankSummary& summary)
{
    for (const SummaryFrame& frame : summary.frames)
        if (frame.function >= summary.strings.size() || frame.file >= summary.strings.size())
            return false;
    for (std::size_t i = 1; i < summary.nodes.size(); ++i)
        if (summary.nodes[i].frame >= summary.frames.size() || summary.nodes[i].caller >= i)
            return false;
    return !summary.nodes.empty() && std::ranges::all_of(summary.ooms, [&](const SummaryOom& oom) {
        return isKnownStack(summary, oom.stack);
    });
}

/// True if the moments ascend from before the first event to the last event, and their figures are possible.
bool areMoments(const RankSummary& summary)
{
    const SummaryMoments& moments = summary.moments;
    if (moments.size() == 0 || moments.event.front() != -1
        || moments.event.back() != summary.device.events - 1 || summary.categories.size() > kMaxCategories)
        return false;
    const auto descent = std::ranges::adjacent_find(moments.event, std::greater_equal<>());
    return descent == moments.event.end() && std::ranges::all_of(moments.time, isStoredTime)
        && std::ranges::all_of(moments.reserved, isSize)
        && std::ranges::all_of(moments.byCategory,
            [](const std::vector<Bytes>& bytes) { return std::ranges::all_of(bytes, isSize); });
}

bool areAllocations(const RankSummary& summary)
{
    const std::size_t momentCount = summary.moments.size();
    return std::ranges::all_of(summary.allocations, [&](const SummaryAllocation& allocation) {
        return isSize(allocation.bytes) && allocation.count > 0 && isKnownStack(summary, allocation.stack)
            && allocation.category < summary.categories.size() && allocation.birth < momentCount
            && (allocation.death == SummaryAllocation::kNever
                || (allocation.death < momentCount && allocation.birth < allocation.death));
    });
}

struct Check
{
    bool (*isValid)(const RankSummary& summary);
    const char* subject;
};

constexpr std::array kFigures{Check{isIdentity, "its rank"}, Check{isDevice, "its device"},
    Check{areSteps, "its steps"}, Check{isGrowth, "its growth"}, Check{areSites, "its call sites"},
    Check{areFindings, "its findings"}, Check{areFailures, "its failures"},
    Check{areMessages, "its messages"}, Check{isClock, "its clock"}};
constexpr std::array kTables{
    Check{areStacks, "its stacks"}, Check{areMoments, "its curve"}, Check{areAllocations, "its allocations"}};

/// Returns the subject of the first check that fails; empty if there is none.
std::string firstInvalid(std::span<const Check> checks, const RankSummary& summary)
{
    const auto failed
        = std::ranges::find_if(checks, [&](const Check& check) { return !check.isValid(summary); });
    return failed == checks.end() ? std::string() : failed->subject;
}

} // namespace

std::string firstSummaryProblem(const RankSummary& summary, bool hasTables)
{
    const std::string problem = firstInvalid(kFigures, summary);
    return problem.empty() && hasTables ? firstInvalid(kTables, summary) : problem;
}

} // namespace highwater
