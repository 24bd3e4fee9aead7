#include "core/analysis/allocator/allocator_moment.h"

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

AllocatorMoment allocatorMomentAt(const SegmentHistory& history, std::int64_t event,
    std::span<const OomEvent> ooms, std::optional<Bytes> processLimit)
{
    const Trace& trace = history.trace();
    const DeviceIndex device = history.allocations().device();
    AllocatorMoment moment;
    moment.state = history.at(event);
    moment.cutOff = trace.metadata.cutOff && trace.metadata.kind == TraceKind::Snapshot;
    moment.figures = measureFragmentation(trace, moment.state);
    moment.change = describeChange(history.allocations(), moment.state);
    moment.ghost = requestGhostAt(trace, device, ooms, moment.state);
    if (event >= 0 && trace.events.action[trace.row(device, event)] == Action::Oom)
        moment.verdict = oomVerdict(trace, device, moment.state, processLimit);
    return moment;
}

std::string momentHeadline(const AllocatorMoment& moment)
{
    const SegmentState& state = moment.state;
    if (!state.recorded)
        return moment.cutOff ? "the file is cut off within its events, so the segments are unknown"
                             : "the file does not record segments";
    if (state.segments.empty())
        return "there are no segments: nothing is reserved";
    std::string text = fmt::format("{} is reserved in {}: {} in use", formatBytes(state.reservedBytes),
        counted(state.segments.size(), "segment", "segments"), formatBytes(state.inUseBytes()));
    if (state.pendingBytes > 0)
        text += fmt::format(
            " ({} of it freed, but another stream may still read it)", formatBytes(state.pendingBytes));
    if (const Bytes rounding = state.liveBytes() - state.inUseBytes(); rounding > 0)
        text += fmt::format(", {} lost to rounding", formatBytes(rounding));
    if (state.freeBlockCount == 0)
        return text + ", nothing free";
    // The sentence on the cause has these figures.
    if (moment.verdict && moment.verdict->cause == OomCause::Fragmentation
        && moment.verdict->servingFreeBytes == state.freeBytes)
        return text;
    text += fmt::format(
        ", {} free in {}", formatBytes(state.freeBytes), counted(state.freeBlockCount, "block", "blocks"));
    // The verdict counts only these: without this, its figures would seem to contradict the total.
    if (moment.verdict && moment.verdict->servingFreeBytes < state.freeBytes)
        text += fmt::format(" ({} of it in the {} that may serve the request)",
            formatBytes(moment.verdict->servingFreeBytes),
            counted(moment.verdict->servingFreeBlockCount, "block", "blocks"));
    return text + ", the largest " + formatBytes(moment.figures.all.largestFree);
}

std::int64_t initialEvent(const DeviceFigures& figures)
{
    return figures.ooms.empty() ? figures.peakEvent : figures.ooms.back().event;
}

} // namespace highwater
