#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// State below 1/kStateDivisor of the peak is not reported.
constexpr Bytes kStateDivisor = 100;

std::size_t indexOf(Category category)
{
    return static_cast<std::size_t>(category);
}

/// The optimizer phase that makes the state, and the state's bytes before and after it.
struct StateMade
{
    PhaseRange range;
    Bytes bytesBefore = 0;
    Bytes bytesAfter = 0;
};

std::optional<StateMade> firstStateMade(const DeviceStudy& study)
{
    for (const PhaseRange& range : study.phases.ranges()) {
        if (range.phase != Phase::Optimizer)
            continue;
        const std::vector<CategoryBytes> rows
            = categoriesAt(study.allocations, study.categories, {range.begin - 1, range.end - 1});
        const StateMade stateMade{
            range, rows[0][indexOf(Category::OptimizerState)], rows[1][indexOf(Category::OptimizerState)]};
        return stateMade.bytesAfter > 0 && stateMade.bytesBefore * 10 < stateMade.bytesAfter
            ? std::optional(stateMade)
            : std::nullopt;
    }
    return std::nullopt;
}

std::vector<AllocationIndex> stateBornIn(const DeviceStudy& study, const PhaseRange& range)
{
    std::vector<AllocationIndex> state;
    for (const AllocationIndex i : study.allocations.liveAt(range.end - 1))
        if (study.categories.of(i) == Category::OptimizerState && study.allocations.birth(i) >= range.begin)
            state.push_back(i);
    return state;
}

/// Returns a cut for every second block of each size: what state of half as many bytes would save.
std::vector<LifetimeCut> cutsOfHalf(const DeviceStudy& study, const std::vector<AllocationIndex>& state)
{
    std::map<Bytes, std::size_t> countOfSize;
    std::vector<LifetimeCut> cuts;
    for (const AllocationIndex i : state)
        if (countOfSize[study.allocations.bytes(i)]++ % 2 == 1)
            cuts.push_back({i});
    return cuts;
}

/// Returns the last out-of-memory event, or nullopt if there is none at or after `event`.
std::optional<std::int64_t> lastOutOfMemoryFrom(const DetectorInput& input, std::int64_t event)
{
    if (input.figures.ooms.empty() || input.figures.ooms.back().event < event)
        return std::nullopt;
    return input.figures.ooms.back().event;
}

} // namespace

std::vector<Finding> findOptimizerState(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::optional<StateMade> stateMade = firstStateMade(study);
    if (!stateMade
        || stateMade->bytesAfter - stateMade->bytesBefore < input.figures.peakBytes / kStateDivisor)
        return {};
    std::vector<AllocationIndex> state = stateBornIn(study, stateMade->range);
    const bool allPaired = std::ranges::all_of(
        state, [&](AllocationIndex i) { return study.categories.gradeOf(i) == Grade::A; });
    Finding finding = findingAt(input, stateMade->range.end - 1, "optimizer-state-first-step",
        allPaired ? Grade::A : Grade::B, FindingKind::Fact);
    finding.bytes = stateMade->bytesAfter - stateMade->bytesBefore;
    const PeakSaving saved = peakSaving(study, cutsOfHalf(study, state));
    const std::optional<std::int64_t> outOfMemoryEvent = lastOutOfMemoryFrom(input, stateMade->range.begin);
    const bool isUnfinished = outOfMemoryEvent && *outOfMemoryEvent <= stateMade->range.end;
    finding.title = isUnfinished
        ? fmt::format("Memory ran out within the first optimizer step, after {} of its state",
            formatBytes(finding.bytes))
        : fmt::format("The first optimizer step adds {} of state: every later step starts that much higher",
            formatBytes(finding.bytes));
    finding.addEvidence(AllocationsTarget{state},
        "Optimizer state is {} before the step and {} after it, in {} blocks{}",
        formatBytes(stateMade->bytesBefore), formatBytes(stateMade->bytesAfter), formatCount(state.size()),
        allPaired ? " (one or two per parameter, as Adam keeps)" : "");
    if (outOfMemoryEvent && !isUnfinished)
        finding.addEvidence(EventTarget{*outOfMemoryEvent}, "Memory ran out {} events later",
            formatCount(*outOfMemoryEvent - stateMade->range.end));
    finding.remedy = {"Use bf16 or 8-bit optimizer state, or, on several GPUs, shard it (ZeRO, FSDP)", saved};
    finding.wouldDisprove
        = "Wrong if the state was allocated in an earlier step that the recording does not have";
    return {std::move(finding)};
}

} // namespace highwater
