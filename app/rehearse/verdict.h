#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/rehearse/rehearsal.h"
#include "core/analysis/device/device_study.h"
#include "core/run/gpu_models.h"

namespace highwater::rehearse {

/// The answer to the question if a run fits a GPU, from the best to the worst.
enum class Fit
{
    Fits, ///< fits even if the GPU has the least memory, and context and kernels take the most
    TooClose, ///< depends on the machine
    Failed, ///< unknown: the command failed, or was stopped before its first training step
    DoesNotFit, ///< does not fit even if PyTorch gets the most memory
};

/// Returns "fits", "too-close", "failed" or "does-not-fit".
std::string_view toText(Fit fit);

/// The bytes of a GPU that PyTorch can get: what the device reports, minus what is used outside of PyTorch.
struct AvailableMemory
{
    Bytes least = 0;
    Bytes most = 0;
};

/// Returns the bounds for this GPU, which depend on the machine, the driver and the kernels. Never below 0.
AvailableMemory availableMemory(const GpuModel& gpu);

/// How a process ended.
enum class End
{
    Finished,
    Stopped, ///< by the user, or by another process
    OutOfMemory,
    Failed, ///< for another reason
};

/// Returns "finished", "stopped", "out-of-memory" or "failed".
std::string_view toText(End end);

/// Returns how a process ended. If the command failed and the process reports no exception, an earlier
/// out-of-memory error of the process counts as the reason.
End endOf(const RehearsalResult& result, const RehearsedProcess& process);

/// The verdict on one simulated device of one process.
struct DeviceVerdict
{
    std::int64_t device = 0;
    Fit fit = Fit::Fits;
    Bytes peakBytes
        = 0; ///< requested by the program; only after the last out-of-memory error, if the program recovered
    Bytes reservedPeakBytes = 0; ///< reserved by the allocator, in the same part of the run
    /// The reserved peak with the workspaces of cuDNN's convolutions; the same without convolutions.
    Bytes mostReservedBytes = 0;
    /// Least available memory minus `mostReservedBytes`; negative if memory is missing. If the run does not
    /// fit: the bytes missing on a GPU with the least memory, including the last failed request, as a
    /// negative number.
    Bytes spareBytes = 0;
    std::optional<std::string> peakStep; ///< name of the step with the peak; nullopt if no steps were found
    std::string peakPhase;
    std::int64_t steps = 0; ///< complete training steps, without guesses (grade C)
    std::int64_t oomCount = 0;
    Bytes refusedBytes = 0; ///< size of the last failed request

    /// True if all figures are equal; the numbers of the devices may differ.
    bool isSameAs(const DeviceVerdict& other) const;
    bool operator==(const DeviceVerdict&) const = default;
};

/// Judges a device. The rehearsal gave PyTorch the most of `available`, so a process that ran out of memory
/// and did not continue fits no such GPU. A process that continued is judged by the part after its last
/// out-of-memory error. A process with an optimizer has continued only after another optimizer step. A
/// process that was stopped has failed if it has no complete step, or has an optimizer that made no step.
/// O(events).
DeviceVerdict judge(
    const DeviceStudy& study, const AvailableMemory& available, End end, const OptimizerSteps& training = {});

/// Returns the most that the workspaces of cuDNN's convolutions add to what is reserved, which a rehearsal
/// cannot know. `convolutionBytes` are the tensors of the largest convolution.
Bytes mostWorkspaceBytes(Bytes convolutionBytes, Bytes reservedBytes);

/// Adds the workspaces of a run's convolutions to the verdict. What fits only without them is too close to
/// tell: PyTorch takes another algorithm where a workspace is not to be had, if there is one.
void addWorkspaces(DeviceVerdict& verdict, Bytes convolutionBytes);

/// Returns the middle of the available memory minus the middle of what is reserved. For TooClose, the sign
/// says which side is likelier: negative if it is that the run does not fit.
Bytes spareInTheMiddle(const DeviceVerdict& verdict, const AvailableMemory& available);

/// Returns the worse of two verdicts.
Fit worse(Fit a, Fit b);

} // namespace highwater::rehearse
