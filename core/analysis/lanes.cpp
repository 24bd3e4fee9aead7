#include "core/analysis/lanes.h"

#include <algorithm>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The first row whose last item has ended; a new one if all are taken.
int freeRow(std::vector<Nanoseconds>& rowEnds, Nanoseconds begin, Nanoseconds end)
{
    auto row = std::find_if(
        rowEnds.begin(), rowEnds.end(), [begin](Nanoseconds rowEnd) { return rowEnd <= begin; });
    if (row == rowEnds.end())
        row = rowEnds.insert(rowEnds.end(), end);
    *row = end;
    return static_cast<int>(row - rowEnds.begin());
}

} // namespace

bool isInternalAnnotation(std::string_view name)
{
    static constexpr std::string_view marks[] = {"(dynamo_timed)", "dynamo_timed", "_compile.",
        "Torch-Compiled Region", "inductor", "aot_", "compile_fx", "backend_compile"};
    return std::any_of(std::begin(marks), std::end(marks),
        [name](std::string_view mark) { return name.find(mark) != std::string_view::npos; });
}

Lane annotationLane(const Trace& trace, DeviceIndex device, bool withInternal)
{
    Lane lane;
    if (!trace.hasTimes(device))
        return lane;
    const RowRange rows = trace.devices[device].events;
    const Nanoseconds* first = trace.events.time.data() + rows.first;
    const Nanoseconds* last = trace.events.time.data() + rows.last;
    std::vector<Nanoseconds> rowEnds;
    for (const Span& span : trace.spans) {
        const std::string_view name = trace.text(span.name);
        if (!span.isOf(trace.devices[device])
            || trace.devices[device].kind == DeviceKind::HostPinned)
            continue;
        if (!withInternal && isInternalAnnotation(name)) {
            ++lane.hidden;
            continue;
        }
        LaneItem item;
        item.firstEvent = std::lower_bound(first, last, span.begin) - first;
        item.lastEvent
            = std::max<std::int64_t>(item.firstEvent, std::upper_bound(first, last, span.end) - first);
        item.begin = span.begin;
        item.end = span.end;
        item.row = freeRow(rowEnds, span.begin, span.end);
        item.label = sanitizedText(name);
        item.beginMissing = span.beginMissing;
        item.endMissing = span.endMissing;
        lane.items.push_back(std::move(item));
    }
    lane.rows = static_cast<int>(rowEnds.size());
    return lane;
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
        if (!isRelease(trace.events.action[row])) {
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
