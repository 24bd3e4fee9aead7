#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/categories/parameter_sizes.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The state that one optimizer phase made and that is alive at the peak.
struct StateOfPhase
{
    std::vector<AllocationIndex> blocks;
    SizeCounts counts;
};

std::vector<StateOfPhase> statesAt(const DeviceStudy& study, std::int64_t event)
{
    std::map<std::int64_t, StateOfPhase> byPhase; ///< by the end of the optimizer phase
    const std::vector<PhaseRange>& ranges = study.phases.ranges();
    for (const AllocationIndex i : study.allocations.liveAt(event)) {
        if (study.categories.reasonOf(i) != CategoryReason::OptimizerKeeps || study.allocations.birth(i) < 0)
            continue;
        const auto range = std::ranges::upper_bound(ranges, study.allocations.birth(i), {}, &PhaseRange::end);
        StateOfPhase& state = byPhase[range->end];
        state.blocks.push_back(i);
        ++state.counts[study.allocations.recordedBytes(i)];
    }
    std::vector<StateOfPhase> states;
    for (auto& [end, state] : byPhase)
        states.push_back(std::move(state));
    return states;
}

SizeCounts parametersAt(const DeviceStudy& study, std::int64_t event)
{
    SizeCounts counts;
    for (const AllocationIndex i : study.allocations.liveAt(event))
        if (study.categories.of(i) == Category::Parameter)
            ++counts[study.allocations.recordedBytes(i)];
    return counts;
}

/// Returns the blocks of state per parameter: two if the count of each size is even, as for Adam; else one,
/// as for momentum.
std::uint32_t blocksPerParameter(const SizeCounts& state)
{
    return std::ranges::all_of(state, [](const auto& entry) { return entry.second % 2 == 0; }) ? 2 : 1;
}

/// True if both states belong to the same parameters: there are too few parameters of these sizes for two
/// models.
bool areOfOneModel(const SizeCounts& first, const SizeCounts& second, const SizeCounts& parameters)
{
    const std::uint32_t perFirst = blocksPerParameter(first);
    const std::uint32_t perSecond = blocksPerParameter(second);
    Bytes sharedBytes = 0;
    for (const auto& [size, count] : first) {
        const auto inSecond = second.find(size);
        const auto inParameters = parameters.find(size);
        if (inSecond != second.end() && inParameters != parameters.end()
            && count / perFirst + inSecond->second / perSecond > inParameters->second)
            sharedBytes += size * count;
    }
    return sharedBytes * 10 >= bytesOf(first) * 9;
}

} // namespace

std::vector<Finding> findSecondOptimizer(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::vector<StateOfPhase> states = statesAt(study, input.figures.peakEvent);
    const SizeCounts parameters = parametersAt(study, input.figures.peakEvent);
    for (std::size_t second = 1; second < states.size(); ++second)
        for (std::size_t first = 0; first < second; ++first) {
            const Bytes bytes = highwater::bytesOf(study.allocations, states[first].blocks);
            if (!isWorthReporting(input, bytes) || !isAmong(states[first].counts, states[second].counts)
                || !areOfOneModel(states[first].counts, states[second].counts, parameters))
                continue;
            Finding finding
                = findingAt(input, input.figures.peakEvent, "second-optimizer", Grade::B, FindingKind::Fault);
            finding.bytes = bytes;
            finding.title = fmt::format(
                "Two optimizers keep state for the same parameters: {} belongs to the earlier one",
                formatBytes(bytes));
            finding.addEvidence(AllocationsTarget{states[first].blocks},
                "The state of the earlier one is in {}, allocated by {}",
                blocksText(states[first].blocks.size()), placesOf(study, states[first].blocks));
            finding.addEvidence(AllocationsTarget{states[second].blocks},
                "The state of the later one is in {}, allocated by {}",
                blocksText(states[second].blocks.size()), placesOf(study, states[second].blocks));
            finding.evidence.back().isContext = true;
            std::vector<LifetimeCut> cuts;
            const std::int64_t replaced = study.allocations.birth(states[second].blocks.front()) - 1;
            for (const AllocationIndex i : states[first].blocks)
                cuts.push_back({i, replaced});
            finding.remedy = {"Drop every reference to the earlier optimizer before the later one steps, or "
                              "keep the earlier one and change its settings",
                peakSaving(study, cuts)};
            finding.wouldDisprove = "Wrong if the earlier optimizer steps again";
            return {std::move(finding)};
        }
    return {};
}

} // namespace highwater
