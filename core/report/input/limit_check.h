#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/device_figures.h"

namespace highwater {

/// Limits to check a run against; nullopt for limits that are not checked.
struct MemoryLimits
{
    std::optional<Bytes> peak; ///< Counts the device's quantity
    std::optional<Bytes> reserved;
    std::optional<Bytes> growthPerStep; ///< As measured by `growthPerStep` (growth.h)

    bool isEmpty() const { return !peak && !reserved && !growthPerStep; }
};

/// The peak of another run, and how much more is allowed.
struct PeakBaseline
{
    std::string name; ///< Name of its file
    Bytes peakBytes = 0;
    Quantity quantity = Quantity::Requested;
    double allowedPercent = 0; ///< Allowed increase over `peakBytes`
};

/// One limit and the observed value.
struct LimitResult
{
    std::string limit; ///< "max-peak", "max-peak-increase", …
    Bytes limitBytes = 0;
    std::optional<Bytes> observed; ///< Nullopt if it cannot be checked
    std::int64_t event = -1; ///< Event of the peak; −1 for other limits
    bool holds = false; ///< False if it cannot be checked
    std::string text; ///< "peak 21.26 GiB (… B, requested) after event 5,701, allowed 20 GiB"
};

/// Returns one result per given limit, in the order of MemoryLimits. A peak of a part of the run may hold,
/// and says that it may be higher. The limit on the peak costs an `AllocationTable`, that on growth a study
/// of the steps.
std::vector<LimitResult> checkLimits(
    const Trace& trace, DeviceIndex device, const DeviceFigures& figures, const MemoryLimits& limits);

/// Compares the peak with that of another run. The result does not hold if the two count different bytes, or
/// if the file is cut off and its peak may be above the limit. `part` is the part of the run that is
/// recorded.
LimitResult checkBaseline(const Device& device, const DeviceFigures& figures, const PeakBaseline& baseline,
    RecordedPart part = RecordedPart::Whole);

} // namespace highwater
