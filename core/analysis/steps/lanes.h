#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// What stands in the lanes above the timeline.
struct LaneItem
{
    std::int64_t firstEvent
        = 0; ///< events [firstEvent, lastEvent) of the device; empty where none lies in the span
    std::int64_t lastEvent = 0;
    Nanoseconds begin = 0; ///< 0 where the file has no times
    Nanoseconds end = 0;
    int row = 0; ///< rows of one lane count from 0, the outermost
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

/// Names that PyTorch's compiler writes for itself, many hundreds of them in one file.
bool isInternalAnnotation(std::string_view name);

/// Annotations of the threads that used this device, nested ones in rows below each other. Internal ones only
/// on request.
Lane annotationLane(const Trace& trace, DeviceIndex device, bool withInternal);

/// What a process was doing, by time alone.
struct NamedLane
{
    std::string name; ///< "annotations", "pid 7001 · operators"
    Lane lane;
};

/// Ranges, marks and operators of a trace without memory events, for each process in order of its number,
/// then its activities by kind; those with nothing in them are left out. Items have no events. O((spans +
/// activities) × rows).
std::vector<NamedLane> recordingLanes(const Trace& trace);

/// Kernels, copies and memsets of a device, and the calls of its program, over its events; nothing where the
/// trace holds none or the events have no times. O(activities × (rows + log events)).
std::vector<NamedLane> activityLanes(const Trace& trace, DeviceIndex device);

/// The time that the spans and activities of a trace take up; none where it has neither.
std::optional<std::pair<Nanoseconds, Nanoseconds>> recordedTime(const Trace& trace);

/// The allocator gave cached memory back to the driver: segments freed or unmapped one behind the other.
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
