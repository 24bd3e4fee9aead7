#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/run/gpu_models.h"

namespace highwater {

/// The usual memory of a CUDA context and its kernels, as measured on most machines (PyTorch forum 73021,
/// 81330; Hugging Face's page). If a budget leaves out memory outside PyTorch, a GPU with less headroom than
/// this fits only on paper.
inline constexpr Bytes kUsualOutsideBytes = 723 * kMiB;

/// An expected peak compared with one GPU.
struct GpuFit
{
    std::string gpu;
    Bytes capacity = 0; ///< the smallest capacity that PyTorch reports for this GPU
    bool fits = false; ///< expected ≤ capacity
    Bytes headroom = 0; ///< capacity − expected; negative if it does not fit
    bool isTight = false; ///< fits, but with less headroom than memory outside the budget is likely to need
};

/// Finds GPUs by name, ignoring case, blanks and dashes. "a100" finds every A100; "A100 80" finds one, and so
/// does the driver's "NVIDIA A100-SXM4-80GB". A size ("24GiB") gives a GPU of that capacity. A slice has
/// the name that nvidia-smi gives it ("A100 1g.10gb"). Returns the common GPUs if no name is given. Fails
/// with BadRequest and the list of common names.
Result<std::vector<GpuModel>> chooseGpus(const std::vector<std::string>& names);

/// Compares the bytes with each GPU, in the given order. `leftOut` is memory outside PyTorch that the
/// expected bytes do not include.
std::vector<GpuFit> fitGpus(Bytes expected, const std::vector<GpuModel>& gpus, Bytes leftOut);

} // namespace highwater
