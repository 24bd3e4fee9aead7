#include "core/study/fault_fate.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "core/analysis/steps/growth.h"

// Judges whether a fault is fixed. Input: the fault of the earlier run, and both runs. Idea: a fault that is
// no longer reported is gone only if the later run came as far as the fault and does not keep the same
// blocks. Example: the earlier run kept its gradients through the forward of step 1. A later run that dies in
// step 0 cannot show them: NotSeen. A later run whose peak is in backward keeps them, too, but its detector
// is silent, since freeing them before backward would not lower that peak: Unreported. A later run without
// gradients in the forwards of its steps: Gone.

namespace highwater {

namespace {

/// At most this many ranges of a phase are examined.
constexpr std::size_t kMaxMoments = 8;

/// Category, recorded size, and whether the block is older than its step.
using BlockKind = std::tuple<Category, Bytes, bool>;
using BlockCounts = std::map<BlockKind, std::int64_t>;

bool isRecorded(const DeviceStudy* study)
{
    return study && study->trace.metadata.hasHistory && study->curve.eventCount() > 0;
}

bool hasSteps(const DeviceStudy& study)
{
    return study.steps.source != StepSource::Whole;
}

BlockKind kindOf(const DeviceStudy& study, AllocationIndex block, std::int64_t event)
{
    const std::optional<std::size_t> step = study.steps.stepOf(event);
    const std::int64_t begin = step ? study.steps.steps[*step].begin : 0;
    return {study.categories.of(block), study.allocations.recordedBytes(block),
        study.allocations.birth(block) < begin};
}

/// Counts the fault's blocks that are alive at its event.
BlockCounts blocksOf(const Finding& fault, const DeviceStudy& study)
{
    std::set<AllocationIndex> alive;
    for (const Evidence& evidence : fault.evidence)
        if (const auto* blocks = std::get_if<AllocationsTarget>(&evidence.target))
            std::ranges::copy_if(blocks->allocations, std::inserter(alive, alive.end()),
                [&](AllocationIndex block) { return study.allocations.isLiveAt(block, fault.event); });
    BlockCounts counts;
    for (const AllocationIndex block : alive)
        ++counts[kindOf(study, block, fault.event)];
    return counts;
}

/// Returns the events to examine: the peaks of at most `kMaxMoments` ranges of the phase, spread over the
/// run, from the second step on if the fault was not in the first one. If the phase is unknown, the peak of
/// the run.
std::vector<std::int64_t> momentsLike(const Finding& fault, Phase phase, const DeviceStudy& after)
{
    if (phase == Phase::Unknown)
        return {after.curve.peak().event};
    std::vector<std::int64_t> moments;
    for (const PhaseRange& range : after.phases.ranges()) {
        const std::size_t step = after.steps.stepOf(range.begin).value_or(0);
        const bool isFarEnough
            = !hasSteps(after) || !fault.step || step >= std::min<std::size_t>(*fault.step, 1);
        if (range.phase == phase && isFarEnough)
            moments.push_back(after.curve.peak(range.begin, range.end).event);
    }
    std::vector<std::int64_t> chosen;
    const std::size_t count = std::min(moments.size(), kMaxMoments);
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(moments[i * moments.size() / count]);
    return chosen;
}

/// True if at least three quarters of the blocks' bytes are alive at the moment.
bool keeps(const BlockCounts& blocks, const DeviceStudy& study, std::int64_t event)
{
    BlockCounts alive;
    for (const AllocationIndex block : study.allocations.liveAt(event))
        if (const BlockKind kind = kindOf(study, block, event); blocks.contains(kind))
            ++alive[kind];
    Bytes all = 0;
    Bytes kept = 0;
    for (const auto& [kind, count] : blocks) {
        const Bytes size = std::get<Bytes>(kind);
        all += size * count;
        const auto found = alive.find(kind);
        kept += found == alive.end() ? 0 : size * std::min(count, found->second);
    }
    return all > 0 && kept >= all / 4 * 3;
}

/// True if the later run has as many steps as the fault needs to appear.
bool reachesSteps(const Finding& fault, const DeviceStudy& before, const DeviceStudy& after)
{
    if (fault.rule == "growth" || fault.rule == "retained-graph" || fault.rule == "still-rising")
        return growthPerStep(after.steps).has_value();
    if (!fault.step || !hasSteps(before))
        return true;
    const std::size_t least = isFailure(fault) ? *fault.step + 1 : std::min<std::size_t>(*fault.step, 1) + 1;
    return hasSteps(after) && after.steps.count() >= least;
}

FaultFate fateOnDevice(const Finding& fault, const DeviceStudy& before, const DeviceStudy& after)
{
    if (isRecorded(&before) && (!isRecorded(&after) || !reachesSteps(fault, before, after)))
        return FaultFate::NotSeen;
    if (isFailure(fault) || !isRecorded(&before))
        return FaultFate::Gone;
    const std::vector<std::int64_t> moments = momentsLike(fault, before.phases.at(fault.event), after);
    if (moments.empty())
        return FaultFate::NotSeen;
    const BlockCounts blocks = blocksOf(fault, before);
    return std::ranges::any_of(moments, [&](std::int64_t event) { return keeps(blocks, after, event); })
        ? FaultFate::Unreported
        : FaultFate::Gone;
}

} // namespace

FaultFate faultFate(const Finding& fault, const RunStudy& before, const RunStudy& after)
{
    if (fault.rule == "rank-outlier")
        return after.ranks() ? FaultFate::Gone : FaultFate::NotSeen;
    const bool isFromLog = std::ranges::any_of(fault.evidence,
        [](const Evidence& evidence) { return std::holds_alternative<LogLineTarget>(evidence.target); });
    if (isFromLog || !before.device())
        return after.logs().empty() && !after.device() ? FaultFate::NotSeen : FaultFate::Gone;
    return after.device() ? fateOnDevice(fault, *before.device(), *after.device()) : FaultFate::NotSeen;
}

} // namespace highwater
