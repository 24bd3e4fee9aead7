#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/gpu_fit.h"
#include "core/analysis/detectors/failures/logged_gpu.h"
#include "core/analysis/detectors/finding.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/device_capacity.h"
#include "core/analysis/device/device_study.h"
#include "core/run/gpu_models.h"

namespace highwater {

/// How a recorded run went, which no estimate knows: it may leak or run out of memory although its
/// configuration would fit. Bytes are reserved bytes unless a name says otherwise.
struct ObservedOutcome
{
    Bytes reservedPeak = 0; ///< as `DeviceFigures` has it, for `info` and timeline; 0 if unknown
    bool ranOut = false; ///< a request failed for lack of memory
    /// Bytes of the peak that a finding says are kept from earlier steps, in the device's quantity; 0 unless
    /// memory grows from step to step.
    Bytes kept = 0;
    Bytes keptPerStep = 0; ///< how much the total grows in each step; 0 if unknown
    /// The line of code through which most of them are allocated, as `LeakPlace::inTitle` writes it: " from
    /// log_probs (grpo.py:70)"; may be empty.
    std::string keeper;
    std::string gpuName; ///< recorded name of the GPU; may be empty
    std::optional<DeviceCapacity> capacity; ///< capacity of the recorded GPU, if known
    /// The process's own limit that the failed request exceeded; a GPU may have room for more.
    std::optional<Bytes> processLimit;

    RecordedPart part = RecordedPart::Whole; ///< the part of the run that the recording shows

    bool grows() const { return kept > 0; }
    /// True if the run leaked or ran out of memory.
    bool hasFailed() const { return ranOut || grows(); }
    /// True if the recorded bytes are all that the run needs.
    bool isWhole() const { return !hasFailed() && part == RecordedPart::Whole; }
    /// True if the recording is not of this GPU. A lower bound on the capacity only excludes smaller GPUs.
    bool excludes(const GpuModel& gpu) const;
    /// True if the recorded GPU has this name or, as far as the recording shows, about this capacity.
    bool isLike(const GpuModel& gpu) const;
    /// Returns "NVIDIA L4", else "a GPU of at least 22.85 GiB", else "a GPU with 20 GiB reserved".
    std::string gpuText() const;
    /// Returns "ran out of memory on NVIDIA L4", or "was limited to 1 GiB" if that was the reason.
    std::string failureText() const;
    /// Returns why recorded bytes that fit do not settle the answer: "it ran out of memory, so it may need
    /// more", "the file is cut off, so it may need more".
    std::string doubtText() const;
};

/// True if the finding shows that memory grows from step to step; a grade C does not.
bool showsGrowth(const Finding& finding);

/// Returns how the run went. `findings` and `logged` are of the same device. O(findings).
ObservedOutcome observedOutcome(
    const DeviceStudy& study, const std::vector<Finding>& findings, const LoggedGpu& logged = {});

/// Returns the memory that the recorded run needs: the peak in use and the reserved peak, each raised to what
/// a failed request would have made it. O(failed requests × log changes).
NeededMemory neededMemory(const DeviceStudy& study);

/// Judges whether a recorded run fits a GPU. All verdicts about recorded runs come from here. `outside` is
/// the known memory outside PyTorch, which is added to the needed bytes; without it, a CUDA context is
/// assumed to take `kUsualOutsideBytes`. `isNamed` is true if a person named this GPU, so that the run may
/// have been on it.
GpuFit fitRun(NeededMemory needed, const GpuModel& gpu, const ObservedOutcome& outcome,
    std::optional<Bytes> outside, bool isNamed);

} // namespace highwater
