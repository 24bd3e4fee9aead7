#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/analysis/categories/stack_traits.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/analysis/tensor_shapes/known_numbers.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// State below 1/kStateDivisor of the peak is not reported.
constexpr std::int64_t kStateDivisor = 100;
/// Without a failure, a run needs advice if it reserves at least three quarters of its GPU or, on an unknown
/// GPU, if the advice saves at least a tenth of the peak.
constexpr std::int64_t kSpareDivisor = 4;
constexpr std::int64_t kStateSavingDivisor = 10;

/// The width of the state's elements.
enum class StateWidth : std::uint8_t
{
    Unknown,
    Narrow, ///< at most 16 bits
    Wide, ///< 32 bits or more
};

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

/// Returns the blocks of a category that are alive before the optimizer's phase.
std::vector<AllocationIndex> aliveBefore(const DeviceStudy& study, const PhaseRange& range, Category category)
{
    std::vector<AllocationIndex> blocks = study.allocations.liveAt(range.begin - 1);
    std::erase_if(blocks, [&](AllocationIndex i) { return study.categories.of(i) != category; });
    return blocks;
}

/// Compares the state with the gradients, else with the parameters: if there are two blocks of state per
/// gradient and all have half its size, each element has half as many bytes as one of a parameter.
StateWidth widthOfState(
    const DetectorInput& input, const PhaseRange& range, const std::vector<AllocationIndex>& state)
{
    const DeviceStudy& study = *input.study;
    std::vector<AllocationIndex> trained = aliveBefore(study, range, Category::Gradient);
    if (trained.empty())
        trained = aliveBefore(study, range, Category::Parameter);
    const double perTensor = trained.empty()
        ? 0
        : std::round(static_cast<double>(state.size()) / static_cast<double>(trained.size()));
    if (perTensor < 1)
        return StateWidth::Unknown;
    const double ratio = static_cast<double>(bytesOf(study.allocations, state)) / perTensor
        / static_cast<double>(bytesOf(study.allocations, trained));
    constexpr double kTolerance = 1.1; // sizes are rounded, and 8-bit state has scales next to it
    if (const std::int64_t width = knownNumbers(study, input.settings).parameterWidth; width > 0)
        return ratio * static_cast<double>(width) > 2 * kTolerance ? StateWidth::Wide : StateWidth::Narrow;
    if (ratio * 4 <= 2 * kTolerance) // even if the parameters are fp32
        return StateWidth::Narrow;
    return ratio * 2 > 2 * kTolerance ? StateWidth::Wide : StateWidth::Unknown;
}

/// True if the run failed for lack of memory, or has little to spare. `saved` is what the advice saves.
bool isShortOfMemory(const DetectorInput& input, Bytes saved)
{
    if (!input.figures.ooms.empty())
        return true;
    const Bytes highest = std::max(input.figures.reservedPeakBytes, input.figures.peakBytes);
    return input.capacity ? highest >= input.capacity->bytes - input.capacity->bytes / kSpareDivisor
                          : saved >= input.figures.peakBytes / kStateSavingDivisor;
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

/// True if the recording or the settings show that the run has several GPUs: state can then be sharded.
bool hasSeveralGpus(const DetectorInput& input)
{
    const Trace& trace = input.study->trace;
    const auto used = std::ranges::count_if(trace.devices,
        [](const Device& device) { return device.kind == DeviceKind::Cuda && device.events.size() > 0; });
    if (used > 1
        || input.number({"world_size", "num_gpus", "num_processes", "nproc_per_node"}).value_or(1) > 1)
        return true;
    const StackTraits traits(trace);
    const AllocationTable& allocations = input.study->allocations;
    for (AllocationIndex i = 0; i < allocations.size(); ++i)
        for (const StackTrait trait : {StackTrait::GradientBuffer, StackTrait::ShardedParameter})
            if (traits.has(allocations.stack(i), trait))
                return true;
    return false;
}

/// Returns the advice, with the saving of state that is half as wide, or none if the run has memory to spare.
Remedy stateRemedy(
    const DetectorInput& input, const PhaseRange& range, const std::vector<AllocationIndex>& state)
{
    const PeakSaving saved = peakSaving(*input.study, cutsOfHalf(*input.study, state));
    if (saved.bytes <= 0 || !isShortOfMemory(input, saved.bytes))
        return {};
    const bool isShared = hasSeveralGpus(input);
    const std::string_view others = isShared
        ? "8-bit state saves more; sharding it over the GPUs with ZeRO or FSDP saves as much or more"
        : "8-bit state saves more";
    switch (widthOfState(input, range, state)) {
    case StateWidth::Narrow:
        return isShared ? Remedy("Shard the optimizer state over the GPUs (ZeRO, FSDP)") : Remedy();
    case StateWidth::Wide: return {fmt::format("Keep the optimizer state in bf16 ({})", others), saved};
    case StateWidth::Unknown: break;
    }
    return {fmt::format("If the optimizer state is fp32, keep it in bf16 ({})", others), saved};
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
    const std::optional<std::int64_t> outOfMemoryEvent = lastOutOfMemoryFrom(input, stateMade->range.begin);
    const bool isUnfinished = outOfMemoryEvent && *outOfMemoryEvent <= stateMade->range.end;
    finding.title = isUnfinished
        ? fmt::format("Memory ran out within the first optimizer step, after {} of its state",
            formatBytes(finding.bytes))
        : fmt::format("The first optimizer step adds {} of state", formatBytes(finding.bytes));
    finding.addEvidence(AllocationsTarget{state}, "The state is in {}{}", blocksText(state.size()),
        allPaired ? ": each has the size of a gradient" : "");
    finding.remedy = stateRemedy(input, stateMade->range, state);
    finding.wouldDisprove
        = "Wrong if the state was allocated in an earlier step that the recording does not have";
    return {std::move(finding)};
}

} // namespace highwater
