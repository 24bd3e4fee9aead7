#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/categories/parameter_sizes.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_saying.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The state that one optimizer phase made and that is alive at the peak.
struct StateOfRun
{
    std::vector<AllocationIndex> blocks;
    SizeCounts counts;
};

std::vector<StateOfRun> statesAt(const DeviceStudy& study, std::int64_t event)
{
    std::map<std::int64_t, StateOfRun> byRun; ///< by the end of the optimizer phase
    const std::vector<PhaseRange>& ranges = study.phases.ranges();
    for (const AllocationIndex i : study.allocations.liveAt(event)) {
        if (study.categories.reasonOf(i) != CategoryReason::OptimizerKeeps || study.allocations.birth(i) < 0)
            continue;
        const auto range = std::ranges::upper_bound(ranges, study.allocations.birth(i), {}, &PhaseRange::end);
        StateOfRun& run = byRun[range->end];
        run.blocks.push_back(i);
        ++run.counts[study.allocations.recordedBytes(i)];
    }
    std::vector<StateOfRun> runs;
    for (auto& [end, run] : byRun)
        runs.push_back(std::move(run));
    return runs;
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
    Bytes shared = 0;
    for (const auto& [size, count] : first) {
        const auto later = second.find(size);
        const auto known = parameters.find(size);
        if (later != second.end() && known != parameters.end()
            && count / perFirst + later->second / perSecond > known->second)
            shared += size * count;
    }
    return shared * 10 >= bytesOf(first) * 9;
}

} // namespace

std::vector<Finding> findSecondOptimizer(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::vector<StateOfRun> runs = statesAt(study, input.figures.peakEvent);
    const SizeCounts parameters = parametersAt(study, input.figures.peakEvent);
    for (std::size_t second = 1; second < runs.size(); ++second)
        for (std::size_t first = 0; first < second; ++first) {
            const Bytes bytes = highwater::bytesOf(study.allocations, runs[first].blocks);
            if (!isWorthSaying(input, bytes) || !isAmong(runs[first].counts, runs[second].counts)
                || !areOfOneModel(runs[first].counts, runs[second].counts, parameters))
                continue;
            Finding finding
                = findingAt(input, input.figures.peakEvent, "second-optimizer", Grade::B, FindingKind::Fault);
            finding.bytes = bytes;
            finding.title = fmt::format(
                "Two optimizers keep state for the same parameters: {} belongs to the earlier one",
                formatBytes(bytes));
            finding.addEvidence(AllocationsTarget{runs[first].blocks},
                "The state of the earlier one is in {}, allocated by {}",
                blocksText(runs[first].blocks.size()), placesOf(study, runs[first].blocks));
            finding.addEvidence(AllocationsTarget{runs[second].blocks},
                "The state of the later one is in {}, allocated by {}",
                blocksText(runs[second].blocks.size()), placesOf(study, runs[second].blocks));
            std::vector<LifetimeCut> cuts;
            const std::int64_t from = study.allocations.birth(runs[second].blocks.front()) - 1;
            for (const AllocationIndex i : runs[first].blocks)
                cuts.push_back({i, from});
            finding.remedy = {"Drop every reference to the earlier optimizer before the later one steps, or "
                              "keep the earlier one and change its settings",
                peakSaving(study, cuts)};
            finding.wouldDisprove = "Wrong if the earlier optimizer steps again";
            return {std::move(finding)};
        }
    return {};
}

} // namespace highwater
