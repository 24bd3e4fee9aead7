#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/rehearse/rehearsal.h"
#include "core/analysis/device/device_study.h"
#include "core/run/gpu_models.h"

namespace highwater::rehearse {

/// Whether a run fits a GPU.
enum class Fit
{
    Fits, ///< even where the GPU has the least memory and context and kernels take the most
    TooClose, ///< depends on the machine
    Failed, ///< unknown: the command failed, or was stopped before its first training step
    DoesNot, ///< not even where PyTorch gets the most
};

/// "fits", "too-close", "failed", "does-not-fit".
std::string_view toText(Fit fit);

/// The bytes that PyTorch gets of a GPU: what the device reports less what lies outside of PyTorch.
struct AvailableMemory
{
    Bytes least = 0;
    Bytes most = 0;
};

AvailableMemory availableMemory(const GpuModel& gpu);

/// How a process ended.
enum class End
{
    Finished,
    Stopped, ///< by the user, or by another process
    OutOfMemory,
    Failed, ///< for another reason
};

/// "finished", "stopped", "out-of-memory", "failed".
std::string_view toText(End end);

/// A process whose command failed without saying why died of an out-of-memory error if it had one.
End endOf(const RehearsalResult& result, const RehearsedProcess& process);

/// One simulated device of one process.
struct DeviceVerdict
{
    std::int64_t device = 0;
    Fit fit = Fit::Fits;
    Bytes peakBytes = 0; ///< requested by the program; where it recovered: after the last out-of-memory error
    Bytes reservedPeakBytes = 0; ///< by the allocator, in the same part of the run
    Bytes spareBytes = 0; ///< least available less the reserved peak; below 0: what is missing
    std::optional<std::string> peakStep; ///< its name; none: no steps were found
    std::string peakPhase;
    std::int64_t steps = 0; ///< complete training steps, guesses (grade C) left out
    std::int64_t ooms = 0;
    Bytes refusedBytes = 0; ///< what the last of them asked for

    /// The other has the same figures; its number may differ.
    bool isSameAs(const DeviceVerdict& other) const;
    bool operator==(const DeviceVerdict&) const = default;
};

/// The rehearsal ran on a device that gave PyTorch the most of `available`: what ran out of memory there, and
/// did not go on, fits nowhere. What went on is judged by the part after its last out-of-memory error.
/// Where there was an optimizer, nothing fits that made no step of it. O(events).
DeviceVerdict judge(
    const DeviceStudy& study, const AvailableMemory& available, End end, const OptimizerSteps& training = {});

/// The worse of two.
Fit worse(Fit a, Fit b);

} // namespace highwater::rehearse
