#include "core/analysis/steps/lanes.h"

#include <algorithm>
#include <map>

#include "core/analysis/steps/event_spans.h"
#include "core/base/text/name_text.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Returns the first row whose last item has ended, or a new row if all are occupied.
int freeRow(std::vector<Nanoseconds>& rowEnds, Nanoseconds begin, Nanoseconds end)
{
    auto row = std::ranges::find_if(rowEnds, [begin](Nanoseconds rowEnd) { return rowEnd <= begin; });
    if (row == rowEnds.end())
        row = rowEnds.insert(rowEnds.end(), end);
    *row = end;
    return static_cast<int>(row - rowEnds.begin());
}

LaneItem itemOf(Nanoseconds begin, Nanoseconds end, std::string_view label)
{
    LaneItem item;
    item.begin = begin;
    item.end = end;
    item.label = nameText(label);
    return item;
}

LaneItem itemOf(const Span& span, std::string_view name)
{
    LaneItem item = itemOf(span.begin, span.end, name);
    item.beginMissing = span.beginMissing;
    item.endMissing = span.endMissing;
    return item;
}

/// Returns the name of a lane. "calls" of CUDA are only those of memory if the trace did not record others.
std::string nameOf(ActivityKind kind)
{
    switch (kind) {
    case ActivityKind::Kernel: return "kernels";
    case ActivityKind::Copy: return "copies";
    case ActivityKind::Set: return "memsets";
    case ActivityKind::RuntimeCall: break;
    }
    return "calls";
}

/// Adds one lane per kind and device with the activities that satisfy `isWanted`.
template <typename IsWanted>
void addActivities(const ActivityTable& activities, const StringPool& strings, IsWanted isWanted,
    const EventClock& clock, std::vector<NamedLane>& lanes)
{
    std::map<std::pair<ActivityKind, std::int32_t>, std::pair<Lane, std::vector<Nanoseconds>>> byKind;
    for (std::size_t i = 0; i < activities.rows(); ++i) {
        const Activity activity = activities.row(i);
        if (!isWanted(activity))
            continue;
        auto& [lane, rowEnds] = byKind[{activity.kind, activity.device}];
        LaneItem item = itemOf(activity.begin, activity.end, strings.view(activity.name));
        item.row = freeRow(rowEnds, activity.begin, activity.end);
        const EventRange events = clock.eventsWithin(activity.begin, activity.end);
        item.firstEvent = events.first;
        item.lastEvent = events.last;
        lane.rows = std::max(lane.rows, item.row + 1);
        lane.items.push_back(std::move(item));
    }
    for (auto& [key, laneAndEnds] : byKind)
        lanes.push_back({nameOf(key.first), std::move(laneAndEnds.first)});
}

} // namespace

bool isInternalAnnotation(std::string_view name)
{
    static constexpr std::string_view patterns[] = {"(dynamo_timed)", "dynamo_timed", "_compile.",
        "Torch-Compiled Region", "inductor", "aot_", "compile_fx", "backend_compile"};
    return containsAny(name, patterns);
}

Lane annotationLane(const Trace& trace, DeviceIndex device, bool withInternal,
    const std::set<std::string, std::less<>>& omitted)
{
    Lane lane;
    std::vector<Nanoseconds> rowEnds;
    visitEventSpans(trace, device, [&](const EventSpan& events) {
        if (!withInternal && isInternalAnnotation(events.name)) {
            ++lane.hidden;
            return;
        }
        LaneItem item = itemOf(*events.span, events.name);
        if (omitted.contains(item.label))
            return;
        item.firstEvent = events.begin;
        item.lastEvent = events.end;
        item.row = freeRow(rowEnds, item.begin, item.end);
        lane.items.push_back(std::move(item));
    });
    lane.rows = static_cast<int>(rowEnds.size());
    return lane;
}

std::vector<NamedLane> activityLanes(const Trace& trace, DeviceIndex device)
{
    std::vector<NamedLane> lanes;
    const Device& info = trace.devices[device];
    if (!trace.hasTimes(device) || info.kind == DeviceKind::Cpu || info.kind == DeviceKind::HostPinned)
        return lanes;
    addActivities(
        trace.activities, trace.strings,
        [&](const Activity& activity) {
            return activity.kind == ActivityKind::RuntimeCall || activity.device == info.ordinal;
        },
        EventClock(trace, device), lanes);
    return lanes;
}

std::optional<std::pair<Nanoseconds, Nanoseconds>> recordedTime(const Trace& trace)
{
    std::optional<std::pair<Nanoseconds, Nanoseconds>> time;
    const auto include = [&time](Nanoseconds begin, Nanoseconds end) {
        time = time ? std::pair(std::min(time->first, begin), std::max(time->second, end))
                    : std::pair(begin, end);
    };
    for (const Span& span : trace.spans)
        include(span.begin, span.end);
    for (std::size_t i = 0; i < trace.activities.rows(); ++i)
        include(trace.activities.begin[i], trace.activities.end[i]);
    return time;
}

std::vector<CacheFlush> cacheFlushes(const Trace& trace, DeviceIndex device)
{
    std::vector<CacheFlush> flushes;
    const RowRange rows = trace.devices[device].events;
    CacheFlush current;
    const auto finish = [&] {
        if (current.segmentCount >= 2)
            flushes.push_back(current);
        current = {};
    };
    for (std::uint32_t row = rows.first; row < rows.last; ++row) {
        if (!isReleasingAction(trace.events.action[row])) {
            finish();
            continue;
        }
        const std::int64_t event = row - rows.first;
        if (current.segmentCount == 0)
            current.firstEvent = event;
        current.lastEvent = event + 1;
        ++current.segmentCount;
        current.bytes += trace.events.size[row];
    }
    finish();
    return flushes;
}

} // namespace highwater
