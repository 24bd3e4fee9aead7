#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/analysis/segments/segment_state.h"
#include "core/analysis/usage/allocator_rounding.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Bytes that blocks occupy beyond the requested ones, by cause.
struct Waste
{
    Bytes minimalRounding = 0; ///< rounding up to 512 bytes
    Bytes settingRounding = 0; ///< further bytes due to the setting roundup_power2_divisions
    Bytes remainders = 0; ///< rest of a cached block that is too small to be split off
    std::vector<AllocationIndex> rounded; ///< blocks that the setting enlarges
    std::vector<AllocationIndex> unsplit; ///< blocks with a remainder

    Bytes total() const { return minimalRounding + settingRounding + remainders; }
};

/// All of the waste together is a fact only from 1/kWasteDivisor of the live bytes on.
constexpr std::int64_t kWasteDivisor = 50;

Waste wasteOf(const SegmentState& state, const RoundingSettings& settings)
{
    Waste waste;
    for (const BlockAt& block : state.blocks) {
        if (block.isFreeBlock() || block.allocation == AllocationTable::kNoAllocation)
            continue;
        const Bytes minimalSize = std::min(roundedSize(block.requested), block.size);
        const Bytes settingSize = std::clamp(roundedSize(block.requested, settings), minimalSize, block.size);
        waste.minimalRounding += std::max<Bytes>(0, minimalSize - block.requested);
        waste.settingRounding += settingSize - minimalSize;
        waste.remainders += block.size - settingSize;
        if (settingSize > minimalSize)
            waste.rounded.push_back(block.allocation);
        if (block.size > settingSize)
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
    if (waste.settingRounding > 0)
        finding.addEvidence(AllocationsTarget{waste.rounded}, "roundup_power2_divisions adds {} in {}: {}",
            formatBytes(waste.settingRounding), blocksText(waste.rounded.size()),
            placesOf(study, waste.rounded));
    if (waste.remainders > 0)
        finding.addEvidence(AllocationsTarget{waste.unsplit},
            "{} is the rest of {} that were not split, since less than 1 MiB would be left: {}",
            formatBytes(waste.remainders), blocksText(waste.unsplit.size()), placesOf(study, waste.unsplit));
    finding.addEvidence({}, "Rounding up to 512 bytes adds {}", formatBytes(waste.minimalRounding));
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
    const bool isFault = isWorthReporting(input, waste.settingRounding);
    const bool isFact
        = isWorthReporting(input, waste.total()) && waste.total() >= state.liveBytes() / kWasteDivisor;
    if (state.clippedBlockCount > 0 || !(isFault || isFact))
        return {};
    Finding finding = findingAt(input, input.figures.peakEvent, "rounding-waste",
        state.isExact() ? Grade::A : Grade::B, isFault ? FindingKind::Fault : FindingKind::Fact);
    finding.bytes = isFault ? waste.settingRounding : waste.total();
    const std::string share = formatShare(finding.bytes, state.liveBytes());
    finding.title = isFault ? fmt::format("roundup_power2_divisions wastes {} ({}) of the peak on rounding",
                        formatBytes(finding.bytes), share)
                            : fmt::format("Blocks at the peak occupy {} ({}) more than was requested",
                                formatBytes(finding.bytes), share);
    addWasteEvidence(input, state, waste, finding);
    if (isFault)
        finding.remedy = {"Remove roundup_power2_divisions from PYTORCH_CUDA_ALLOC_CONF or raise it, and "
                          "check the effect on reuse with what-if",
            waste.settingRounding};
    else
        finding.remedy.action = "Try expandable_segments:True, which splits blocks at any multiple of 512 "
                                "bytes; what-if shows the effect";
    return {std::move(finding)};
}

} // namespace highwater
