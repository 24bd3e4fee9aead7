#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_saying.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Prefix tuning hands what it learns to the model as a cache (PEFT's `PeftModel.get_prompt`).
bool learnsAPrefix(const Trace& trace)
{
    for (std::size_t i = 0; i < trace.stacks.functionCount(); ++i)
        if (trace.text(trace.stacks.function(i).function) == "get_prompt")
            return true;
    return false;
}

} // namespace

std::vector<Finding> findKvCacheInTraining(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const auto isBackward = [](const PhaseRange& range) { return range.phase == Phase::Backward; };
    if (std::ranges::none_of(study.phases.ranges(), isBackward) || learnsAPrefix(study.trace))
        return {};
    std::vector<AllocationIndex> atPeak;
    std::vector<LifetimeCut> cuts;
    for (auto i = static_cast<AllocationIndex>(study.allocations.olderCount()); i < study.allocations.size();
         ++i) {
        if (study.categories.of(i) != Category::KvCache
            || study.phases.at(study.allocations.birth(i)) != Phase::Forward)
            continue;
        cuts.push_back({i});
        if (study.allocations.isLiveAt(i, input.figures.peakEvent))
            atPeak.push_back(i);
    }
    const Bytes bytes = bytesOf(study.allocations, atPeak);
    if (!isWorthSaying(input, bytes))
        return {};
    Finding finding
        = findingAt(input, input.figures.peakEvent, "kv-cache-in-training", Grade::B, FindingKind::Fault);
    finding.bytes = bytes;
    finding.title = fmt::format(
        "A KV cache is built while training: {} of keys and values at the peak", formatBytes(bytes));
    finding.addEvidence(AllocationsTarget{atPeak}, "{} at the peak, made in forward by {}",
        blocksText(atPeak.size()), placesOf(study, atPeak));
    finding.addEvidence({},
        "Only generation reads a cache; backward needs the keys and values of attention "
        "at most, and only until it is through");
    finding.remedy = {"Train with use_cache=False (model.config.use_cache = False), or drop past_key_values "
                      "and the outputs that hold them before the next step",
        peakSaving(study, cuts), true};
    finding.wouldDisprove = "A forward that goes on from the cache of the one before it";
    return {std::move(finding)};
}

} // namespace highwater
