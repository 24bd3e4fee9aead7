#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/run/gpu_models.h"

namespace highwater {

/// CUDA context and kernels, as measured on most machines (PyTorch forum 73021, 81330; Hugging Face's page):
/// a budget that leaves out memory outside of PyTorch fits a GPU with less headroom than this only on paper.
inline constexpr Bytes kLikelyOutside = 723 * kMiB;

/// Whether an expected peak fits a GPU.
struct GpuFit
{
    std::string gpu;
    Bytes capacity = 0; ///< the smallest capacity that PyTorch reports for this GPU
    bool fits = false; ///< expected ≤ capacity
    Bytes headroom = 0; ///< capacity − expected; below 0 where it does not fit
    bool isTight = false; ///< fits, but leaves less than the memory outside of the budget is likely to need
};

/// Finds GPUs by name, ignoring case, blanks and dashes: "a100" is every A100, "A100 80" that one, as is the
/// driver's "NVIDIA A100-SXM4-80GB"; a size ("24GiB") is a GPU of that capacity. All known GPUs where no name
/// is given. Fails with BadRequest and the list of known names.
Result<std::vector<GpuModel>> chooseGpus(const std::vector<std::string>& names);

/// In the order of the GPUs. `leftOut`: memory outside of PyTorch that the expected bytes do not include.
std::vector<GpuFit> fitGpus(Bytes expected, const std::vector<GpuModel>& gpus, Bytes leftOut);

} // namespace highwater
