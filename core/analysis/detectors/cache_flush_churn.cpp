#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/allocator/allocation_script.h"
#include "core/analysis/allocator/script_reader.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Fewer flushes than this may be deliberate; this many are a pattern.
constexpr std::size_t kFewestFlushes = 3;

/// One call that returned cached memory to the driver.
struct Flush
{
    EventRange events; ///< events that release segments
    Bytes releasedBytes = 0;
    Bytes rereservedBytes = 0; ///< bytes reserved before the next flush, at most `releasedBytes`
    bool namesEmptyCache = false; ///< true if a frame names empty_cache
    bool isForGraphCapture = false; ///< true if made by a CUDA graph capture, which empties the cache first
    bool isForRequest = false; ///< true if the allocator itself made room for a request
};

class Flushes
{
public:
    Flushes(const DeviceStudy& study, const AllocationScript& script)
        : m_study(study)
        , m_emptyCacheStacks(StacksWith::function(study.trace,
              [](std::string_view name) { return name == "empty_cache" || contains(name, "emptyCache"); }))
        , m_captureStacks(study.trace, [&](const Frame& frame) {
            return study.trace.text(frame.file).ends_with("torch/cuda/graphs.py");
        })
    {
        for (const ScriptStep& step : script.steps)
            if (step.action == ScriptAction::EmptyCache)
                m_flushes.push_back(flushAt(step.event));
        for (std::size_t i = 0; i < m_flushes.size(); ++i)
            m_flushes[i].rereservedBytes = rereservedAfter(i);
    }

    const std::vector<Flush>& all() const { return m_flushes; }

private:
    Action actionOf(std::int64_t event) const
    {
        return m_study.trace.events.action[m_study.trace.row(m_study.device, event)];
    }
    Bytes sizeOf(std::int64_t event) const
    {
        return m_study.trace.events.size[m_study.trace.row(m_study.device, event)];
    }
    StackId stackOf(std::int64_t event) const
    {
        return m_study.trace.events.stack[m_study.trace.row(m_study.device, event)];
    }

    /// Returns the flush whose series of releases ends with this event.
    Flush flushAt(std::int64_t last) const
    {
        Flush flush;
        flush.events = {last, last + 1};
        for (std::int64_t event = last; event >= 0 && isReleasingAction(actionOf(event)); --event) {
            flush.events.first = event;
            flush.releasedBytes += sizeOf(event);
            flush.namesEmptyCache = flush.namesEmptyCache || m_emptyCacheStacks.contains(stackOf(event));
            flush.isForGraphCapture = flush.isForGraphCapture || m_captureStacks.contains(stackOf(event));
            flush.isForRequest = !flush.namesEmptyCache && m_study.trace.stacks.hasFrames(stackOf(event));
        }
        return flush;
    }

    Bytes rereservedAfter(std::size_t index) const
    {
        const std::int64_t end
            = index + 1 < m_flushes.size() ? m_flushes[index + 1].events.first : m_study.curve.eventCount();
        Bytes sum = 0;
        for (std::int64_t event = m_flushes[index].events.last; event < end; ++event)
            if (isReservingAction(actionOf(event)))
                sum += sizeOf(event);
        return std::min(sum, m_flushes[index].releasedBytes);
    }

    const DeviceStudy& m_study;
    StacksWith m_emptyCacheStacks;
    StacksWith m_captureStacks;
    std::vector<Flush> m_flushes;
};

/// Returns the flushes after which most of the released memory was reserved again. Others may have been worth
/// their cost, and those of graph captures are necessary.
std::vector<Flush> churnOf(const std::vector<Flush>& flushes)
{
    std::vector<Flush> churn;
    std::ranges::copy_if(flushes, std::back_inserter(churn), [](const Flush& flush) {
        return !flush.isForGraphCapture && flush.rereservedBytes * 2 > flush.releasedBytes;
    });
    return churn;
}

/// True if the device has enough segment releases for `kFewestFlushes` flushes. Each flush releases at least
/// one segment, so this cheap count rules out most traces.
bool mayHaveFlushes(const DeviceFigures& figures)
{
    std::int64_t releases = 0;
    for (const Action action : {Action::SegmentFree, Action::SegmentUnmap})
        if (const auto found = figures.actions.find(std::string(knownActionName(action)));
            found != figures.actions.end())
            releases += found->second;
    return releases >= static_cast<std::int64_t>(kFewestFlushes);
}

std::string remedyOf(const std::vector<Flush>& churn)
{
    if (std::ranges::all_of(churn, &Flush::isForRequest))
        return "Lower the peak, or set expandable_segments:True: the allocator empties its cache because a "
               "request does not fit";
    return "Take torch.cuda.empty_cache() out of the loop: it costs a cudaFree and a cudaMalloc each time "
           "and lowers no peak";
}

} // namespace

std::vector<Finding> findCacheFlushChurn(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (study.curve.eventCount() == 0 || !mayHaveFlushes(input.figures))
        return {};
    const LiveIndex live(study.allocations);
    const SegmentHistory history(study.trace, study.allocations, live);
    const Result<AllocationScript> script = allocationScript(
        history, study.curve, knownCapacity(study.about(), input.figures.ooms, study.curve));
    if (!script)
        return {};
    const Flushes flushes(study, *script);
    const std::vector<Flush> churn = churnOf(flushes.all());
    if (churn.size() < kFewestFlushes)
        return {};
    Bytes releasedBytes = 0;
    Bytes rereservedBytes = 0;
    for (const Flush& flush : churn) {
        releasedBytes += flush.releasedBytes;
        rereservedBytes += flush.rereservedBytes;
    }
    const auto count = static_cast<Bytes>(churn.size());
    if (!isWorthReporting(input, rereservedBytes / count))
        return {};
    const bool namesEmptyCache = std::ranges::all_of(churn, &Flush::namesEmptyCache);
    Finding finding
        = findingOf(input, "cache-flush-churn", namesEmptyCache ? Grade::A : Grade::B, FindingKind::Fault);
    const Flush& largest = *std::ranges::max_element(churn, {}, &Flush::rereservedBytes);
    placeAt(finding, input, largest.events.first);
    finding.bytes = rereservedBytes / count;
    finding.title = fmt::format("The cache is emptied {} times, and {} is reserved again each time",
        formatCount(count), formatBytes(rereservedBytes / count));
    finding.addEvidence(EventRange{churn.front().events.first, churn.back().events.last},
        "{} is given back in total, and {} ({}) of it is reserved again before the next flush",
        formatBytes(releasedBytes), formatBytes(rereservedBytes),
        formatShare(rereservedBytes, releasedBytes));
    finding.addEvidence(largest.events, "The largest flush gives back {}, and {} is reserved again",
        formatBytes(largest.releasedBytes), formatBytes(largest.rereservedBytes));
    if (flushes.all().size() > churn.size())
        finding.addEvidence({},
            "The count leaves out {} of graph captures, or after which at most half was reserved again",
            counted(flushes.all().size() - churn.size(), "flush", "flushes"));
    finding.remedy.action = remedyOf(churn);
    finding.wouldDisprove
        = "Wrong if another process, such as an inference engine, needs the memory in between";
    return {std::move(finding)};
}

} // namespace highwater
