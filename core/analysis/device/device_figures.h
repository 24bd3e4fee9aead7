#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/usage/usage_curve.h"
#include "core/trace/trace.h"

namespace highwater {

/// A request that failed for lack of memory.
struct OomEvent
{
    static constexpr Bytes kUnknown = -1;

    std::int64_t event = 0;
    Bytes requestedBytes = 0; ///< as recorded: already rounded
    Bytes deviceFreeBytes = 0; ///< kUnknown if the file does not say
};

/// The figures of one device that `highwater info` prints; resources/manual/json.md defines each of them.
/// Bytes are of the device's quantity, or after `convertedFigures` of the table's, unless the name says
/// otherwise.
struct DeviceFigures
{
    std::int64_t eventCount = 0;
    std::map<std::string, std::int64_t> actions; ///< number of events by action; only those that occur
    std::int64_t segmentCount = 0; ///< at the end
    std::int64_t blockCount = 0; ///< at the end, free blocks included
    Bytes initialBytes = 0;
    std::int64_t initialLiveCount = 0; ///< number of live allocations
    Bytes peakBytes = 0;
    /// The first event that reaches the peak; −1 is the moment before the first event.
    std::int64_t peakEvent = -1;
    std::int64_t peakLiveCount = 0;
    Bytes finalBytes = 0;
    std::int64_t finalLiveCount = 0;
    Bytes finalAllocatedBytes = 0; ///< block sizes of the allocations of `finalBytes`
    Bytes reservedInitialBytes = 0;
    Bytes reservedPeakBytes = 0;
    Bytes reservedFinalBytes = 0;
    std::vector<OomEvent> ooms;
    std::optional<Nanoseconds> span; ///< time between the first and the last event with a time
};

/// Computes the figures from the events, their pairing, and the segments or the totals that the file reports,
/// without a table of allocations. O(events + blocks).
DeviceFigures deviceFigures(const Trace& trace, DeviceIndex device);

/// Returns `figures` in the quantity of the table: the values that depend on the quantity come from the table
/// and its curve, but `finalBytes` from the device's `endState` if it has one. O(allocations).
DeviceFigures convertedFigures(
    const AllocationTable& allocations, const UsageCurve& curve, DeviceFigures figures);

/// Returns the device with the largest peak; nothing for a trace without devices. Pinned host memory is
/// chosen only if there is no other device.
std::optional<DeviceIndex> mainDevice(const Trace& trace, const std::vector<DeviceFigures>& figures);

} // namespace highwater
