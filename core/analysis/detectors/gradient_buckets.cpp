#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

bool isDdpFrame(const Trace& trace, const Frame& frame)
{
    return trace.text(frame.file).ends_with("nn/parallel/distributed.py");
}

/// The gradients alive at one event: blocks with the size of a parameter, and buckets that hold several
/// gradients.
struct Gradients
{
    std::vector<AllocationIndex> separate;
    std::vector<AllocationIndex> buckets;
};

Gradients gradientsOf(const DeviceStudy& study, std::int64_t event)
{
    const BlocksBySize parameters = sizesOf(study, Category::Parameter);
    Gradients gradients;
    for (const AllocationIndex i : study.allocations.liveAt(event))
        if (study.categories.of(i) == Category::Gradient)
            (parameters.contains(study.allocations.recordedBytes(i)) ? gradients.separate : gradients.buckets)
                .push_back(i);
    return gradients;
}

/// Returns the last event of the backward at whose end most gradient bytes are alive; −1 if there is no
/// backward.
std::int64_t fullestMoment(const DeviceStudy& study)
{
    std::vector<std::int64_t> ends;
    for (const PhaseRange& range : study.phases.ranges())
        if (range.phase == Phase::Backward)
            ends.push_back(range.end - 1);
    const std::vector<CategoryBytes> rows = categoriesAt(study.allocations, study.categories, ends);
    const auto fullest = std::ranges::max_element(
        rows, {}, [](const CategoryBytes& row) { return row[static_cast<std::size_t>(Category::Gradient)]; });
    return fullest == rows.end() ? -1 : ends[static_cast<std::size_t>(fullest - rows.begin())];
}

/// Returns the last event of the backward that contains this event, or the event itself if there is none. A
/// gradient must wait until then to be copied into its bucket, even if gradients are views of buckets.
std::int64_t endOfBackward(const DeviceStudy& study, std::int64_t event)
{
    for (const PhaseRange& range : study.phases.ranges())
        if (range.begin <= event && event < range.end && range.phase == Phase::Backward)
            return range.end - 1;
    return event;
}

bool usesDdp(const Trace& trace)
{
    for (std::size_t frame = 0; frame < trace.stacks.frameCount(); ++frame)
        if (isDdpFrame(trace, trace.stacks.frame(FrameId(frame))))
            return true;
    return false;
}

} // namespace

std::vector<Finding> findGradientBuckets(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (!usesDdp(study.trace))
        return {};
    const std::int64_t event = fullestMoment(study);
    const Gradients gradients = gradientsOf(study, event);
    const Bytes separateBytes = bytesOf(study.allocations, gradients.separate);
    const Bytes bucketBytes = bytesOf(study.allocations, gradients.buckets);
    if (separateBytes * 10 < bucketBytes * 9 || bucketBytes * 10 < separateBytes * 9
        || !isWorthReporting(input, bucketBytes))
        return {};
    std::vector<LifetimeCut> cuts;
    const BlocksBySize parameters = sizesOf(study, Category::Parameter);
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        if (study.categories.of(i) == Category::Gradient
            && parameters.contains(study.allocations.recordedBytes(i)))
            cuts.push_back({i, endOfBackward(study, study.allocations.birth(i))});
    const PeakSaving saved = peakSaving(study, cuts);
    Finding finding = findingAt(input, event, "gradient-buckets", Grade::B,
        isWorthReporting(input, saved.bytes) ? FindingKind::Fault : FindingKind::Fact);
    finding.bytes = separateBytes;
    finding.title = fmt::format(
        "{} of gradients is in memory twice: once by itself, once in DistributedDataParallel's buckets",
        formatBytes(separateBytes));
    finding.addEvidence(AllocationsTarget{gradients.separate},
        "The gradients are in {} with the sizes of parameters: {}", blocksText(gradients.separate.size()),
        formatBytes(separateBytes));
    finding.addEvidence(AllocationsTarget{gradients.buckets}, "The buckets are in {}: {}, allocated by {}",
        blocksText(gradients.buckets.size()), formatBytes(bucketBytes), placesOf(study, gradients.buckets));
    finding.remedy = {"Construct DistributedDataParallel with gradient_as_bucket_view=True: gradients become "
                      "views of the buckets",
        saved};
    finding.wouldDisprove
        = "Wrong if code needs the gradients apart from the buckets, as gradient.detach_() does";
    return {std::move(finding)};
}

} // namespace highwater
