#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_saying.h"
#include "core/base/text_format.h"

namespace highwater {

std::vector<Finding> findUnusedGradients(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    std::vector<AllocationIndex> blocks;
    std::vector<LifetimeCut> cuts;
    for (const AllocationIndex i : study.allocations.liveAt(input.figures.peakEvent))
        if (study.categories.reasonOf(i) == CategoryReason::GradientOfUntrained) {
            blocks.push_back(i);
            cuts.push_back({i});
        }
    const Bytes bytes = bytesOf(study.allocations, blocks);
    if (!isWorthSaying(input, bytes))
        return {};
    Finding finding
        = findingAt(input, input.figures.peakEvent, "unused-gradients", Grade::B, FindingKind::Fault);
    finding.bytes = bytes;
    finding.title
        = fmt::format("No optimizer uses {} of gradients, and nothing frees them", formatBytes(bytes));
    finding.addEvidence(AllocationsTarget{blocks},
        "{}, made by the first backward and still there at the end, of the sizes of weights whose size no "
        "optimizer state and no freed gradient has",
        blocksText(blocks.size()));
    finding.remedy
        = {"Call requires_grad_(False) on the parameters that are not trained: their gradients, and "
           "the part of backward that makes them, go; if they are to be trained, give them to the "
           "optimizer",
            peakSaving(study, cuts)};
    finding.wouldDisprove = "Code that reads these gradients, or an optimizer that steps after the recording";
    return {std::move(finding)};
}

} // namespace highwater
