#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device/device_capacity.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/run/gpu_models.h"

namespace highwater {

/// A typical size of a CUDA context and its kernels, without NCCL, from reports of users (PyTorch forum
/// 73021, 81330; Hugging Face's page). If a budget leaves out memory outside PyTorch, a GPU with less
/// headroom than this fits only on paper.
inline constexpr Bytes kUsualOutsideBytes = 723 * kMiB;

/// The answer to the question if a run fits a GPU.
enum class FitVerdict : std::uint8_t
{
    Fits,
    TooClose, ///< depends on the machine, or on whether PyTorch can release memory that it does not use
    DoesNotFit,
};

/// Returns "fits", "too-close", "does-not-fit".
std::string_view toText(FitVerdict verdict);

/// The memory that a run needs at its peak, between two bounds.
struct NeededMemory
{
    Bytes least = 0; ///< in use: nothing can be released
    Bytes most = 0; ///< reserved, with the cache that PyTorch kept
    Bytes leastRequest = 0; ///< part of `least` that a failed request asked for
    Bytes mostRequest = 0; ///< the same part of `most`
};

/// The reason why the recorded bytes of a run do not settle if it fits a GPU that has as many.
enum class FitDoubt : std::uint8_t
{
    None,
    Grows, ///< memory grows from step to step, so no GPU holds a long run
    RanOut, ///< the run ran out of memory on this GPU
    /// The run needs this much or more: it ran out of memory elsewhere or at its own limit, or the recording
    /// shows only a part of it.
    AtLeast,
};

/// The bytes of a run, expected or observed, compared with one GPU.
struct GpuFit
{
    std::string gpu;
    Bytes capacity = 0; ///< the smallest capacity that PyTorch reports for this GPU
    bool fits = false; ///< bytes ≤ capacity, and the run neither grows nor ran out of memory on this GPU
    /// capacity − bytes − memory outside PyTorch that the bytes leave out; negative if bytes are missing. The
    /// bytes are those in use if even they are too many, else the reserved ones.
    Bytes headroom = 0;
    bool isTight = false; ///< fits, but not together with the memory outside PyTorch
    FitDoubt doubt = FitDoubt::None; ///< None if the bytes alone are too many, or are all that the run needs
    FitVerdict verdict = FitVerdict::DoesNotFit;
    /// For a run that grows: how many steps more than it recorded it would get on this GPU, at its rate. Not
    /// set unless the recorded bytes fit, or if the rate is unknown.
    std::optional<std::int64_t> moreSteps = std::nullopt;

    /// True if the recorded bytes do not settle the answer, and nothing else does.
    bool isTooClose() const { return verdict == FitVerdict::TooClose && doubt == FitDoubt::None; }
    /// True if the run is known not to fit, or to fit only for a time.
    bool isNo() const { return verdict == FitVerdict::DoesNotFit || doubt == FitDoubt::Grows; }
    /// Returns the capacity that `NeededMemory::most` and memory outside PyTorch leave; nothing unless the
    /// run fits, or if `moreSteps` says for how long.
    std::optional<Bytes> leftBytes() const;
    /// Returns the bytes by which `NeededMemory::least` and memory outside PyTorch exceed the capacity;
    /// nothing unless the bytes alone show that the run does not fit.
    std::optional<Bytes> shortBytes() const;
    /// Returns the answer for people, in table and picture: "fits", "no", "no: it leaks", "no: ran out of
    /// memory", "too close", or "fits so far" of a run that may need more.
    std::string_view word() const;
    /// True if the recorded bytes fit, but the run may need more.
    bool isSoFar() const { return verdict == FitVerdict::Fits && doubt == FitDoubt::AtLeast; }
    /// Returns the word, for a run that grows with `moreSteps`: "no: it leaks, ≈7 more steps".
    std::string answer() const;
};
/// Returns "fits", "tight", "too-small", "grows", "ran-out" or "at-least"; JSON values that never change.
std::string_view verdictText(const GpuFit& fit);

/// Finds GPUs by name, ignoring case, blanks and dashes. "a100" finds every A100; "A100 80" finds one, and so
/// does the driver's "NVIDIA A100-SXM4-80GB". A size ("24GiB") gives a GPU of that capacity. A slice has the
/// name that nvidia-smi gives it ("A100 1g.10gb"). Returns the common GPUs if no name is given, and no GPU
/// twice. Fails with BadRequest for an unknown name and a size below 64 MiB.
Result<std::vector<GpuModel>> chooseGpus(const std::vector<std::string>& names);

/// Reads a capacity that a person typed: the name of one GPU; a GPU by its size ("24", "24 GB"), which stands
/// for the common GPUs sold with it, else for so many GiB; or an exact size ("24 GiB", a number of bytes).
/// Fails with BadRequest and the reason, also for a name of several GPUs.
Result<DeviceCapacity> capacityFromText(const std::string& text);
/// Returns the capacity of a chosen GPU: the least that PyTorch reports for it, which every view shows.
DeviceCapacity chosenCapacity(const GpuModel& gpu);
/// Returns a chosen capacity that was saved. If `gpu` names a GPU whose reported range has these bytes, it
/// gets the least that PyTorch reports.
DeviceCapacity savedCapacity(Bytes bytes, std::string gpu);
/// Returns the GPU that a chosen capacity means. If its name is not that of one GPU, or that GPU does not
/// report such a capacity, it is a GPU of exactly this size.
GpuModel gpuOfCapacity(const DeviceCapacity& capacity);

/// Compares a run with one GPU. `leftOut` is memory outside PyTorch that the bytes do not include. The run
/// fits if the most that it needs and `leftOut` fit the GPU that reports the least; it does not fit if the
/// least that it needs exceeds the GPU that reports the most; else it is too close to say.
GpuFit fitGpu(const NeededMemory& needed, const GpuModel& gpu, Bytes leftOut);
/// Compares the bytes with each GPU, in the given order. `leftOut` is memory outside PyTorch that the
/// expected bytes do not include.
std::vector<GpuFit> fitGpus(Bytes expected, const std::vector<GpuModel>& gpus, Bytes leftOut);

} // namespace highwater
