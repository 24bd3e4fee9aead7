#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/run/gpu_models.h"

namespace highwater::rehearse {

/// Whether a run fits a GPU.
enum class Fit
{
    Fits, ///< even where the GPU has the least memory and context and kernels take the most
    TooClose, ///< depends on the machine
    DoesNot, ///< not even where PyTorch gets the most
};

/// "fits", "too-close", "does-not-fit".
std::string_view toText(Fit fit);

/// The bytes that PyTorch gets of a GPU: what the device reports less what lies outside of PyTorch.
struct AvailableMemory
{
    Bytes least = 0;
    Bytes most = 0;
};

AvailableMemory availableMemory(const GpuModel& gpu);

/// One simulated device of one process.
struct DeviceVerdict
{
    std::int64_t device = 0;
    Fit fit = Fit::Fits;
    Bytes peakBytes = 0; ///< requested by the program
    Bytes reservedPeakBytes = 0; ///< by the allocator
    Bytes spareBytes = 0; ///< least available less the reserved peak; below 0: what is missing
    std::optional<std::string> peakStep; ///< its name; none: no steps were found
    std::string peakPhase;
    std::int64_t ooms = 0;
    Bytes refusedBytes = 0; ///< what the last of them asked for
};

/// The rehearsal ran on a device that gave PyTorch the most of `available`: what ran out of memory there fits
/// nowhere. O(events).
DeviceVerdict judge(const DeviceStudy& study, const AvailableMemory& available);

/// The worse of two.
Fit worse(Fit a, Fit b);

} // namespace highwater::rehearse
