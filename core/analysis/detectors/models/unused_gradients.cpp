#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// If zero_grad frees other gradients in at least this many later steps, the remaining ones are never freed.
constexpr std::size_t kRoundsOfZeroGrad = 2;

/// Returns the steps in which zero_grad frees gradients, ascending.
std::set<std::size_t> roundsOfZeroGrad(const DeviceStudy& study)
{
    std::set<std::size_t> rounds;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        if (study.categories.reasonOf(i) == CategoryReason::ZeroGradFrees)
            if (const auto step = study.steps.stepOf(study.allocations.death(i)))
                rounds.insert(*step);
    return rounds;
}

/// Returns the step that makes the first gradient, or nullopt if there are no steps or no gradients.
std::optional<std::size_t> firstStepWithGradients(const DeviceStudy& study)
{
    for (auto i = static_cast<AllocationIndex>(study.allocations.olderCount()); i < study.allocations.size();
         ++i)
        if (study.categories.of(i) == Category::Gradient)
            return study.steps.stepOf(study.allocations.birth(i));
    return std::nullopt;
}

/// True for a gradient that was made in the first step with gradients and is never freed, although zero_grad
/// freed others in several later steps. Gradients that merely remain at the end of training were made later.
bool outlivesZeroGrad(
    const DeviceStudy& study, std::size_t firstStep, const std::set<std::size_t>& rounds, AllocationIndex i)
{
    return study.categories.reasonOf(i) == CategoryReason::BackwardLeft && study.allocations.birth(i) >= 0
        && study.allocations.death(i) == AllocationTable::kNeverFreed
        && study.steps.stepOf(study.allocations.birth(i)) == firstStep
        && static_cast<std::size_t>(std::distance(rounds.upper_bound(firstStep), rounds.end()))
        >= kRoundsOfZeroGrad;
}

} // namespace

std::vector<Finding> findUnusedGradients(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    std::vector<AllocationIndex> blocks;
    std::vector<LifetimeCut> cuts;
    const std::set<std::size_t> rounds = roundsOfZeroGrad(study);
    const std::optional<std::size_t> firstStep = firstStepWithGradients(study);
    for (const AllocationIndex i : study.allocations.liveAt(input.figures.peakEvent))
        if (study.categories.reasonOf(i) == CategoryReason::GradientOfUntrained
            || (firstStep && outlivesZeroGrad(study, *firstStep, rounds, i))) {
            blocks.push_back(i);
            cuts.push_back({i});
        }
    const Bytes bytes = bytesOf(study.allocations, blocks);
    if (!isWorthReporting(input, bytes))
        return {};
    Finding finding
        = findingAt(input, input.figures.peakEvent, "unused-gradients", Grade::B, FindingKind::Fault);
    finding.bytes = bytes;
    finding.title
        = fmt::format("No optimizer uses {} of gradients, and nothing frees them", formatBytes(bytes));
    finding.addEvidence(AllocationsTarget{blocks},
        "Backward allocated the gradients in {}, in use to the end; no optimizer has state for weights of "
        "these "
        "sizes, or zero_grad() frees others",
        blocksText(blocks.size()));
    finding.remedy = {"Call requires_grad_(False) on parameters that are not trained; if they are to be "
                      "trained, give them to the optimizer",
        peakSaving(study, cuts)};
    finding.wouldDisprove = "Wrong if code reads these gradients, or an optimizer steps after the recording";
    return {std::move(finding)};
}

} // namespace highwater
