#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// One item of a lane above the timeline: an annotation, operator or activity with its time range.
struct LaneItem
{
    std::int64_t firstEvent = 0; ///< events [firstEvent, lastEvent) of the device; may be empty
    std::int64_t lastEvent = 0;
    Nanoseconds begin = 0; ///< 0 if the file has no times
    Nanoseconds end = 0;
    int row = 0; ///< row within the lane; 0 is the outermost
    std::string label;
    bool beginMissing = false;
    bool endMissing = false;
};

/// A horizontal band of items. Items that overlap in time are in different rows.
struct Lane
{
    std::vector<LaneItem> items; ///< by start
    int rows = 0;
    std::size_t hidden = 0; ///< internal items that were left out
};

/// True for names that PyTorch's compiler generates, often many hundreds in one file.
bool isInternalAnnotation(std::string_view name);

/// Returns the annotations of the threads that used this device, with nested annotations in lower rows. Those
/// of PyTorch's compiler (`isInternalAnnotation`) are only counted, unless `withInternal`. Those with a name
/// in `omitted` are left out. Empty if the events have no times, and for pinned host memory.
/// O(spans × (rows + log events + log omitted)).
Lane annotationLane(const Trace& trace, DeviceIndex device, bool withInternal,
    const std::set<std::string, std::less<>>& omitted = {});

/// A lane with the name that is shown for it.
struct NamedLane
{
    std::string name; ///< "kernels", "calls"
    Lane lane;
};

/// Returns the kernels, copies and memsets of a device, and the driver calls of its program, placed on its
/// events. Empty if the trace has none or the events have no times, and for host memory. O(activities × (rows
/// + log events)).
std::vector<NamedLane> activityLanes(const Trace& trace, DeviceIndex device);

/// Returns the time range of a trace's spans and activities; nullopt if it has neither.
std::optional<std::pair<Nanoseconds, Nanoseconds>> recordedTime(const Trace& trace);

/// A return of cached memory to the driver: consecutive events that free or unmap segments.
struct CacheFlush
{
    std::int64_t firstEvent = 0; ///< events [firstEvent, lastEvent)
    std::int64_t lastEvent = 0;
    std::int64_t segmentCount = 0;
    Bytes bytes = 0;
};

/// Returns every series of at least two releases with no other event between them. O(events).
std::vector<CacheFlush> cacheFlushes(const Trace& trace, DeviceIndex device);

} // namespace highwater
