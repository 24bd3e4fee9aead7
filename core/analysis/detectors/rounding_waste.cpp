#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_saying.h"
#include "core/analysis/segments/segment_state.h"
#include "core/analysis/usage/allocator_rounding.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Bytes that blocks occupy beyond the requested ones, by cause.
struct Waste
{
    Bytes steps = 0; ///< rounding up to 512 bytes
    Bytes divisions = 0; ///< further bytes due to the setting roundup_power2_divisions
    Bytes remainders = 0; ///< rest of a cached block that is too small to be split off
    std::vector<AllocationIndex> rounded; ///< blocks that the setting enlarges
    std::vector<AllocationIndex> unsplit; ///< blocks with a remainder

    Bytes total() const { return steps + divisions + remainders; }
};

/// Waste that no setting causes is reported only from 1/kLeastWastedPart of the live bytes on.
constexpr Bytes kLeastWastedPart = 50;

Waste wasteOf(const SegmentState& state, const RoundingSettings& settings)
{
    Waste waste;
    for (const BlockAt& block : state.blocks) {
        if (block.isHole() || block.allocation == AllocationTable::kNoAllocation)
            continue;
        const Bytes least = std::min(roundedSize(block.requested), block.size);
        const Bytes set = std::clamp(roundedSize(block.requested, settings), least, block.size);
        waste.steps += std::max<Bytes>(0, least - block.requested);
        waste.divisions += set - least;
        waste.remainders += block.size - set;
        if (set > least)
            waste.rounded.push_back(block.allocation);
        if (block.size > set)
            waste.unsplit.push_back(block.allocation);
    }
    std::ranges::sort(waste.rounded);
    std::ranges::sort(waste.unsplit);
    return waste;
}

void addWasteEvidence(
    const DetectorInput& input, const SegmentState& state, const Waste& waste, Finding& finding)
{
    const DeviceStudy& study = *input.study;
    finding.addEvidence(EventTarget{state.event}, "{} is requested at the peak, in blocks that occupy {}",
        formatBytes(state.requestedBytes), formatBytes(state.liveBytes()));
    if (waste.divisions > 0)
        finding.addEvidence(AllocationsTarget{waste.rounded}, "roundup_power2_divisions adds {} in {}: {}",
            formatBytes(waste.divisions), blocksText(waste.rounded.size()), placesOf(study, waste.rounded));
    if (waste.remainders > 0)
        finding.addEvidence(AllocationsTarget{waste.unsplit},
            "{} is the rest of {} that were not split, since less than 1 MiB would be left: {}",
            formatBytes(waste.remainders), blocksText(waste.unsplit.size()), placesOf(study, waste.unsplit));
    finding.addEvidence({}, "Rounding up to 512 bytes adds {}", formatBytes(waste.steps));
    for (const std::string& reservation : reservations(state))
        finding.addEvidence({}, reservation);
}

} // namespace

std::vector<Finding> findRoundingWaste(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (!hasKnownRounding(study.about()) || study.allocations.quantity() != Quantity::Requested)
        return {};
    const LiveIndex live(study.allocations);
    const SegmentHistory history(study.trace, study.allocations, live);
    const SegmentState state = history.at(input.figures.peakEvent);
    const Waste waste = wasteOf(state, roundingSettings(study.trace.metadata));
    // The user can undo the effect of a setting. What the allocator always does is no fault of the run.
    const bool fault = isWorthSaying(input, waste.divisions);
    const bool fact
        = isWorthSaying(input, waste.total()) && waste.total() >= state.liveBytes() / kLeastWastedPart;
    if (state.clippedBlocks > 0 || !(fault || fact))
        return {};
    Finding finding = findingAt(input, input.figures.peakEvent, "rounding-waste",
        state.isExact() ? Grade::A : Grade::B, fault ? FindingKind::Fault : FindingKind::Fact);
    finding.bytes = fault ? waste.divisions : waste.total();
    const std::string share = formatShare(finding.bytes, state.liveBytes());
    finding.title = fault ? fmt::format("roundup_power2_divisions wastes {} ({}) of the peak on rounding",
                        formatBytes(finding.bytes), share)
                          : fmt::format("Blocks at the peak occupy {} ({}) more than was requested",
                              formatBytes(finding.bytes), share);
    addWasteEvidence(input, state, waste, finding);
    if (fault)
        finding.remedy = {"Remove roundup_power2_divisions from PYTORCH_CUDA_ALLOC_CONF or raise it, and "
                          "check the effect on reuse with what-if",
            waste.divisions};
    else
        finding.remedy.action = "Try expandable_segments:True, which splits blocks at any multiple of 512 "
                                "bytes; what-if shows the effect";
    finding.wouldDisprove = "Wrong if another snapshot of the peak has other block sizes";
    return {std::move(finding)};
}

} // namespace highwater
