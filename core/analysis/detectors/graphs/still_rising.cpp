#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/analysis/detectors/graphs/model_callers.h"
#include "core/analysis/detectors/leak_place.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/analysis/usage/pending_frees.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The places together must leave at least 1/kRiseDivisor of the peak behind in each step.
constexpr std::int64_t kRiseDivisor = 200;
constexpr std::size_t kStepsCompared = 2;
/// A rise of 1/kFaultRiseDivisor of the peak per step or more is a fault: a cache does not fill that fast.
constexpr std::int64_t kFaultRiseDivisor = 20;

/// The blocks of one stack that the two compared steps made and that are alive at the end of the trace.
struct LeftBlocks
{
    std::array<Bytes, kStepsCompared> bytesOfStep{};
    std::vector<AllocationIndex> blocks;

    Bytes risePerStep() const { return std::min(bytesOfStep[0], bytesOfStep[1]); }
};

/// Returns the indices of the last two whole steps before the final whole one. The final one is left out,
/// because the next step might have freed what it leaves.
std::vector<std::size_t> stepsCompared(const StepTable& table)
{
    std::vector<std::size_t> wholeSteps;
    for (std::size_t i = 0; i < table.steps.size(); ++i)
        if (table.steps[i].isCountedAndComplete())
            wholeSteps.push_back(i);
    if (wholeSteps.size() < kStepsCompared + 1)
        return {};
    wholeSteps.pop_back();
    return {wholeSteps.end() - kStepsCompared, wholeSteps.end()};
}

std::map<std::size_t, LeftBlocks> leftByStack(const DeviceStudy& study, const std::vector<std::size_t>& steps)
{
    const LiveIndex live(study.allocations);
    const PendingFrees pending(study.trace, live);
    const std::int64_t end = study.curve.eventCount() - 1;
    std::map<std::size_t, LeftBlocks> byStack;
    for (const AllocationIndex i : study.allocations.liveAt(end)) {
        const std::int64_t birth = study.allocations.birth(i);
        const Category category = study.categories.of(i);
        if (birth < 0 || pending.isPending(i, end) || study.allocations.stack(i).isNone()
            || category == Category::OptimizerState || category == Category::Gradient)
            continue;
        const auto step = std::ranges::find(steps, study.steps.stepOf(birth));
        if (step == steps.end())
            continue;
        LeftBlocks& left = byStack[study.allocations.stack(i).index()];
        left.bytesOfStep[static_cast<std::size_t>(step - steps.begin())] += study.allocations.bytes(i);
        left.blocks.push_back(i);
    }
    return byStack;
}

} // namespace

std::vector<Finding> findStillRising(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::vector<std::size_t> steps = stepsCompared(study.steps);
    if (steps.empty() || study.steps.source == StepSource::Whole || !findGrowth(input).empty())
        return {};
    Bytes risePerStep = 0;
    std::vector<AllocationIndex> blocks;
    for (const auto& [stack, left] : leftByStack(study, steps))
        if (left.risePerStep() > 0) {
            risePerStep += left.risePerStep();
            blocks.insert(blocks.end(), left.blocks.begin(), left.blocks.end());
        }
    if (risePerStep < input.figures.peakBytes / kRiseDivisor || risePerStep == 0)
        return {};
    std::ranges::sort(blocks);
    Finding finding = findingAt(input, study.curve.eventCount() - 1, "still-rising", Grade::B,
        risePerStep * kFaultRiseDivisor >= input.figures.peakBytes ? FindingKind::Fault : FindingKind::Fact);
    finding.bytes = bytesOf(study.allocations, blocks);
    LeakPlace place = findLeakPlace(study, blocks);
    finding.title = fmt::format("Memory is still rising when the recording stops, by {} per step{}: {} in "
                                "the two steps before the last",
        formatBytes(risePerStep), place.inTitle(), formatBytes(finding.bytes));
    if (const std::string origin = place.sentence(); !origin.empty())
        finding.addEvidence({}, origin);
    finding.keepers = std::move(place.keepers);
    finding.addEvidence(AllocationsTarget{blocks}, "{} of {} and {} are still in use at the end, {}: {}",
        blocksText(blocks.size()), study.steps.nameInRun(steps[0]), study.steps.nameInRun(steps[1]),
        formatBytes(finding.bytes), largestSites(study, blocks));
    finding.remedy.action = "Record six steps or more: they show whether it is a leak";
    finding.wouldDisprove = "Wrong if the total at the end of the steps stops rising in a longer recording";
    return {std::move(finding)};
}

} // namespace highwater
