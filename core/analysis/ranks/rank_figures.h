#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/run/run.h"

namespace highwater {

/// The memory use of one device in a fixed number of equal parts of its trace. Each column has the largest
/// total of its part. The outline suffices for a chart after the trace has been released.
struct CurveOutline
{
    static constexpr int kColumns = 2048;

    std::vector<Bytes> byEvent; ///< the moment before the first event, and all events
    /// Empty if the device has no times. The columns share [begin, end), in nanoseconds since the epoch.
    std::vector<Bytes> byTime;
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
};

/// Makes the outline. O(kColumns × log events), plus O(events) if times are missing or decrease.
CurveOutline curveOutline(const Trace& trace, DeviceIndex device, const UsageCurve& curve);

/// The figures of one device of a rank that are kept after its trace is released. Bytes are of `quantity`
/// unless the name says otherwise.
struct RankDevice
{
    DeviceIndex device = 0;
    std::int64_t ordinal = 0; ///< as Device::ordinal
    std::string label; ///< "cuda:0"
    Quantity quantity = Quantity::Requested;
    std::int64_t eventCount = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1;
    Bytes reservedPeakBytes = 0;
    std::int64_t oomCount = 0;
    std::int64_t firstOom = -1; ///< event of the first failed request
    CurveOutline outline;
    /// Memory that was live at the peak by call site: key and bytes, sorted by key.
    std::vector<std::pair<std::string, Bytes>> peakSites;
};

/// Computes the figures except `outline`, which needs a curve. O(allocations + sites × log sites).
RankDevice rankDevice(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    const DeviceFigures& figures);

/// The figures of one file of a run.
struct RankFile
{
    RunMember member;
    /// The devices with memory or events, all if none has any; host memory only if there is no other device.
    std::vector<RankDevice> devices;
    std::size_t main = 0; ///< index into `devices`: the first with the largest peak
    bool isIncomplete = false; ///< true if the file is cut off, so that its figures are lower bounds
    std::string error; ///< why the file cannot be read, in one sentence; else empty
    /// Number of out-of-memory failures that a log reports; 0 for a file with devices, which have their own
    /// (`RankDevice::oomCount`).
    std::int64_t failureCount = 0;
    std::uint64_t firstFailureLine = 0; ///< line of the first of these failures, from 1

    const RankDevice* mainDevice() const { return main < devices.size() ? &devices[main] : nullptr; }
};

/// Computes the figures of all devices, one after another, so that only one device's tables are in memory.
/// Omits the outlines if `outlines` is false.
RankFile rankFile(RunMember member, const Trace& trace, bool outlines = true);
/// Makes the file from devices whose figures are already known.
RankFile rankFile(RunMember member, std::vector<RankDevice> devices);
/// Makes the entry of a file that cannot be read.
RankFile unreadableRank(RunMember member, std::string error);

} // namespace highwater
