#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/usage/event_scale.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/run/clock.h"

namespace highwater {

/// A value of a device's memory from another file about the same run. The value is valid until the next
/// point.
struct AuxiliaryPoint
{
    Nanoseconds time = 0; ///< on the clock of the device's trace
    /// Position among the device's events: e + f is after event e, at a fraction f of the time to the next
    /// one; −1 before the first event, the number of events after the last one.
    double event = 0;
    Bytes bytes = 0;
};

/// A series of values about a device's memory from another file of the run, to be drawn over the device's
/// timeline.
struct AuxiliaryLine
{
    std::string title; ///< "device used (run.sqlite)"
    std::optional<Quantity> quantity; ///< not set for another measure, which `title` names
    std::optional<std::int64_t> rank; ///< rank of a log's series, if the log names it
    std::vector<AuxiliaryPoint> points; ///< by time
    Bytes peakBytes = 0; ///< highest value valid at some event of the device; 0 if there is none

    /// Returns the value valid at a time; nothing before the first point. O(log points).
    std::optional<Bytes> at(Nanoseconds time) const;
};

/// Returns the position of a point on an axis of the device.
double positionOf(const AuxiliaryPoint& point, const EventScale& scale);

/// Returns the lines of the other trace about this device's memory: bytes that a process took from the driver
/// (devices of the same kind and number that count device-used bytes), and sampled series in bytes that name
/// this device's number or no device. Values that repeat the previous one are omitted. Empty if the device's
/// events have no times. O((events + points of the other trace) × log events).
std::vector<AuxiliaryLine> auxiliaryLines(const Trace& trace, DeviceIndex device, const ClockedTrace& other);

/// True if a trace has a device with a program's own allocations, as snapshots and profiler traces do. Driver
/// records, logs and sampled series are auxiliary to such a trace.
bool recordsAllocations(const Trace& trace);

/// True if `other` is auxiliary to `trace`, and so not another rank: it has data, but unlike `trace` no
/// allocations of a program.
bool isAuxiliary(const Trace& trace, const Trace& other);

/// The levels of memory at one moment, from the tensors (`live`) to the allocator (`reserved`) and the driver
/// (`deviceUsed`). `cached` and `outside` are the differences between neighbouring levels.
struct MemoryLevels
{
    std::int64_t event = -1;
    Quantity quantity = Quantity::Requested; ///< quantity of `live`
    Bytes live = 0;
    std::optional<Bytes> reserved; ///< not set if the file has no reserved bytes
    std::optional<Bytes> deviceUsed; ///< not set if no other file gives it for this moment
    std::string deviceUsedSource;

    /// Returns the bytes that the allocator keeps but that are not in use: cached blocks and rounding;
    /// nullopt without reserved bytes.
    std::optional<Bytes> cached() const { return reserved ? std::optional(*reserved - live) : std::nullopt; }
    /// Returns the bytes used on the device outside the allocator: by the CUDA context, libraries and other
    /// processes; nullopt if reserved or used bytes are unknown.
    std::optional<Bytes> outside() const;
};

/// Returns the levels after the event (−1: before the first), whose time is `time` on the clock of the trace.
/// `used` is a line of device-used bytes, or null.
MemoryLevels memoryLevelsAt(const UsageCurve& curve, Quantity quantity, std::int64_t event, Nanoseconds time,
    const AuxiliaryLine* used);

/// Returns "4.1 GiB in use (allocated bytes); 5 GiB reserved, 921.6 MiB of it cached; 6.2 GiB device used
/// (run.sqlite), 1.2 GiB of it outside the allocator (CUDA context, libraries, other processes)".
std::string toText(const MemoryLevels& levels);

} // namespace highwater
