#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// The kind of an item in the lanes above the timeline.
struct LaneItem
{
    std::int64_t firstEvent
        = 0; ///< events [firstEvent, lastEvent) of the device; empty where none lies in the span
    std::int64_t lastEvent = 0;
    Nanoseconds begin = 0; ///< 0 where the file has no times
    Nanoseconds end = 0;
    int row = 0; ///< row within the lane, from 0, the outermost
    std::string label;
    bool beginMissing = false;
    bool endMissing = false;
};

struct Lane
{
    std::vector<LaneItem> items; ///< by begin
    int rows = 0;
    std::size_t hidden = 0; ///< items that were left out as internal
};

/// Names that PyTorch's compiler generates, often many hundreds in one file.
bool isInternalAnnotation(std::string_view name);

/// Annotations of the threads that used this device, nested ones in rows below each other. Internal ones are
/// included only on request.
Lane annotationLane(const Trace& trace, DeviceIndex device, bool withInternal);

/// Activity of a process, placed by time only.
struct NamedLane
{
    std::string name; ///< "annotations", "pid 7001 · operators"
    Lane lane;
};

/// Ranges, marks and operators of a trace without memory events, for each process in order of its number,
/// then its activities by kind; empty lanes are left out. Items have no events. O((spans + activities) ×
/// rows).
std::vector<NamedLane> recordingLanes(const Trace& trace);

/// Kernels, copies and memsets of a device, and the driver calls of its program, placed on its events; empty
/// if the trace has none or the events have no times. O(activities × (rows + log events)).
std::vector<NamedLane> activityLanes(const Trace& trace, DeviceIndex device);

/// The time range covered by the spans and activities of a trace; none where it has neither.
std::optional<std::pair<Nanoseconds, Nanoseconds>> recordedTime(const Trace& trace);

/// The allocator returned cached memory to the driver: consecutive events that free or unmap segments.
struct CacheFlush
{
    std::int64_t firstEvent = 0; ///< events [firstEvent, lastEvent)
    std::int64_t lastEvent = 0;
    std::int64_t segments = 0;
    Bytes bytes = 0;
};

/// Bursts of at least two releases with nothing else between them.
std::vector<CacheFlush> cacheFlushes(const Trace& trace, DeviceIndex device);

} // namespace highwater
