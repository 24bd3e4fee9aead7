#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/analysis/usage/pending_frees.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kStreamsNamed = 4;

/// The frees that waited for another stream.
struct Delays
{
    std::vector<LifetimeCut> cuts; ///< one per delayed free, from its request on
    std::vector<AllocationIndex> atPeak; ///< ascending
    std::int64_t longestWait = 0; ///< events between request and completion
};

Delays delaysOf(const DeviceStudy& study, std::int64_t peakEvent)
{
    const LiveIndex live(study.allocations);
    const PendingFrees pending(study.trace, live);
    Delays delays;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i) {
        const std::int64_t request = pending.requestOf(i);
        if (request == PendingFrees::kNotRequested || study.allocations.death(i) == request + 1)
            continue;
        delays.cuts.push_back({i, request});
        const std::int64_t end = std::min<std::int64_t>(study.allocations.death(i), study.curve.eventCount());
        delays.longestWait = std::max(delays.longestWait, end - request);
        if (study.allocations.isLiveAt(i, peakEvent) && pending.isPending(i, peakEvent))
            delays.atPeak.push_back(i);
    }
    return delays;
}

std::string streamsOf(const DeviceStudy& study, const std::vector<AllocationIndex>& blocks)
{
    std::set<StreamId> streams;
    for (const AllocationIndex i : blocks)
        if (const StreamId stream = study.allocations.stream(i); !stream.isNone())
            streams.insert(stream);
    std::vector<std::string> labels;
    for (const StreamId stream : streams)
        labels.push_back(study.trace.streamLabel(stream));
    std::ranges::sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    if (labels.size() > kStreamsNamed) {
        labels.resize(kStreamsNamed);
        labels.emplace_back("…");
    }
    return labels.empty() ? std::string("stream not recorded") : fmt::format("{}", fmt::join(labels, ", "));
}

} // namespace

std::vector<Finding> findCrossStreamDelay(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    Delays delays = delaysOf(study, input.figures.peakEvent);
    const Bytes bytes = bytesOf(study.allocations, delays.atPeak);
    if (!isWorthReporting(input, bytes))
        return {};
    Finding finding
        = findingAt(input, input.figures.peakEvent, "cross-stream-delay", Grade::A, FindingKind::Fault);
    finding.bytes = bytes;
    finding.title = fmt::format("{} ({}) of {} is already freed but still waits for another stream",
        formatBytes(bytes), formatShare(bytes, input.figures.peakBytes),
        study.curve.eventCount() > 0 ? "the peak" : "what is in use");
    finding.addEvidence(AllocationsTarget{delays.atPeak}, "The memory is in {}, allocated on {} by {}",
        blocksText(delays.atPeak.size()), streamsOf(study, delays.atPeak), placesOf(study, delays.atPeak));
    if (study.curve.eventCount() > 0)
        finding.addEvidence({}, "{} frees waited for another stream, the longest for {} events",
            formatCount(delays.cuts.size()), formatCount(delays.longestWait));
    finding.remedy = {"Let the stream that frees wait for the one that reads (wait_stream, or an event) "
                      "instead of calling record_stream: the memory is back at once",
        peakSaving(study, delays.cuts)};
    finding.wouldDisprove
        = "Wrong if kernels of the other stream really run that long: the memory is in use until then";
    return {std::move(finding)};
}

} // namespace highwater
