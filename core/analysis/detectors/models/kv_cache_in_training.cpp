#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// True for prefix tuning, which passes its learned prefix to the model as a cache (PEFT's
/// `PeftModel.get_prompt`).
bool hasLearnedPrefix(const Trace& trace)
{
    for (std::size_t i = 0; i < trace.stacks.functionCount(); ++i)
        if (trace.text(trace.stacks.function(i).function) == "get_prompt")
            return true;
    return false;
}

/// Returns the last event of the first backward that begins after an event, or nullopt if there is none.
std::optional<std::int64_t> lastEventOfNextBackward(const DeviceStudy& study, std::int64_t event)
{
    const std::vector<PhaseRange>& ranges = study.phases.ranges();
    const auto first = std::ranges::upper_bound(ranges, event, {}, &PhaseRange::begin);
    const auto backward = std::find_if(
        first, ranges.end(), [](const PhaseRange& range) { return range.phase == Phase::Backward; });
    return backward == ranges.end() ? std::nullopt : std::optional(backward->end - 1);
}

} // namespace

std::vector<Finding> findKvCacheInTraining(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (hasLearnedPrefix(study.trace))
        return {};
    std::vector<AllocationIndex> atPeak;
    std::vector<LifetimeCut> cuts;
    for (auto i = static_cast<AllocationIndex>(study.allocations.olderCount()); i < study.allocations.size();
         ++i) {
        const std::int64_t birth = study.allocations.birth(i);
        if (study.categories.of(i) != Category::KvCache || study.phases.at(birth) != Phase::Forward)
            continue;
        const std::optional<std::int64_t> last = lastEventOfNextBackward(study, birth);
        if (!last)
            continue;
        cuts.push_back({i, *last});
        if (study.allocations.isLiveAt(i, input.figures.peakEvent))
            atPeak.push_back(i);
    }
    const Bytes bytes = bytesOf(study.allocations, atPeak);
    if (!isWorthReporting(input, bytes))
        return {};
    const PeakSaving saved = peakSaving(study, cuts);
    Finding finding = findingAt(input, input.figures.peakEvent, "kv-cache-in-training", Grade::B,
        saved.bytes > 0 ? FindingKind::Fault : FindingKind::Fact);
    finding.bytes = bytes;
    finding.title
        = fmt::format("Training builds a KV cache: {} of keys and values at the peak", formatBytes(bytes));
    finding.addEvidence(AllocationsTarget{atPeak},
        "The cache is in {} at the peak, allocated in forward by {}", blocksText(atPeak.size()),
        placesOf(study, atPeak));
    finding.addEvidence({},
        saved.bytes > 0 ? "Only generation reads a cache, and this one outlives backward"
                        : "Only generation reads a cache; backward may need the same keys and values");
    finding.remedy = {"Train with use_cache=False (model.config.use_cache = False), or drop past_key_values "
                      "before the next step",
        saved, false, true};
    finding.wouldDisprove = "Wrong if a forward continues from the cache of the previous one";
    return {std::move(finding)};
}

} // namespace highwater
