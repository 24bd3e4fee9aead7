#include "core/analysis/steps/lanes.h"

#include <algorithm>
#include <map>

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

/// Returns the name of a lane. "CUDA calls" are only the memory calls if the trace did not record others.
std::string nameOf(ActivityKind kind, std::int32_t device)
{
    const std::string suffix = " · cuda:" + std::to_string(device);
    switch (kind) {
    case ActivityKind::Kernel: return "kernels" + suffix;
    case ActivityKind::Copy: return "copies" + suffix;
    case ActivityKind::Set: return "memsets" + suffix;
    case ActivityKind::RuntimeCall: break;
    }
    return "CUDA calls";
}

/// Adds one lane per kind and device with the activities that satisfy `isWanted`. `placeEvents` sets the
/// events of an item.
template <typename IsWanted, typename Place>
void addActivities(const ActivityTable& activities, const StringPool& strings, IsWanted isWanted,
    Place placeEvents, std::vector<NamedLane>& lanes)
{
    std::map<std::pair<ActivityKind, std::int32_t>, std::pair<Lane, std::vector<Nanoseconds>>> byKind;
    for (std::size_t i = 0; i < activities.rows(); ++i) {
        const Activity activity = activities.row(i);
        if (!isWanted(activity))
            continue;
        auto& [lane, rowEnds] = byKind[{activity.kind, activity.device}];
        LaneItem item = itemOf(activity.begin, activity.end, strings.view(activity.name));
        item.row = freeRow(rowEnds, activity.begin, activity.end);
        placeEvents(item);
        lane.rows = std::max(lane.rows, item.row + 1);
        lane.items.push_back(std::move(item));
    }
    for (auto& [key, laneAndEnds] : byKind)
        lanes.push_back({nameOf(key.first, key.second), std::move(laneAndEnds.first)});
}

/// Sets the events of lane items by time.
class EventFinder
{
public:
    EventFinder(const Trace& trace, DeviceIndex device)
        : m_first(trace.events.time.begin() + trace.devices[device].events.first)
        , m_last(trace.events.time.begin() + trace.devices[device].events.last)
    {
    }
    void placeEvents(LaneItem& item) const
    {
        item.firstEvent = std::lower_bound(m_first, m_last, item.begin) - m_first;
        item.lastEvent
            = std::max<std::int64_t>(item.firstEvent, std::upper_bound(m_first, m_last, item.end) - m_first);
    }

private:
    PackedColumn<Nanoseconds>::Iterator m_first;
    PackedColumn<Nanoseconds>::Iterator m_last;
};

} // namespace

bool isInternalAnnotation(std::string_view name)
{
    static constexpr std::string_view patterns[] = {"(dynamo_timed)", "dynamo_timed", "_compile.",
        "Torch-Compiled Region", "inductor", "aot_", "compile_fx", "backend_compile"};
    return containsAny(name, patterns);
}

Lane annotationLane(const Trace& trace, DeviceIndex device, bool withInternal)
{
    Lane lane;
    if (!trace.hasTimes(device))
        return lane;
    const EventFinder events(trace, device);
    std::vector<Nanoseconds> rowEnds;
    for (const Span& span : trace.spans) {
        const std::string_view name = trace.text(span.name);
        if (!span.isOf(trace.devices[device]) || trace.devices[device].kind == DeviceKind::HostPinned)
            continue;
        if (!withInternal && isInternalAnnotation(name)) {
            ++lane.hidden;
            continue;
        }
        LaneItem item = itemOf(span, name);
        events.placeEvents(item);
        item.row = freeRow(rowEnds, span.begin, span.end);
        lane.items.push_back(std::move(item));
    }
    lane.rows = static_cast<int>(rowEnds.size());
    return lane;
}

std::vector<NamedLane> activityLanes(const Trace& trace, DeviceIndex device)
{
    std::vector<NamedLane> lanes;
    const Device& info = trace.devices[device];
    if (!trace.hasTimes(device) || info.kind == DeviceKind::Cpu || info.kind == DeviceKind::HostPinned)
        return lanes;
    const EventFinder events(trace, device);
    addActivities(
        trace.activities, trace.strings,
        [&](const Activity& activity) {
            return activity.kind == ActivityKind::RuntimeCall || activity.device == info.ordinal;
        },
        [&](LaneItem& item) { events.placeEvents(item); }, lanes);
    for (NamedLane& lane : lanes) // all lanes are of one device
        lane.name = lane.name.substr(0, lane.name.find(" · "));
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
        if (current.segments >= 2)
            flushes.push_back(current);
        current = {};
    };
    for (std::uint32_t row = rows.first; row < rows.last; ++row) {
        if (!isReleasingAction(trace.events.action[row])) {
            finish();
            continue;
        }
        const std::int64_t event = row - rows.first;
        if (current.segments == 0)
            current.firstEvent = event;
        current.lastEvent = event + 1;
        ++current.segments;
        current.bytes += trace.events.size[row];
    }
    finish();
    return flushes;
}

} // namespace highwater
