#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/run/gpu_models.h"

namespace highwater {

/// CUDA context and kernels, as most machines show them (PyTorch forum 73021, 81330; Hugging Face's page):
/// where a budget leaves out what lies outside of PyTorch, a card that has less to spare fits on paper only.
inline constexpr Bytes kLikelyOutside = 723 * kMiB;

/// Whether an expected peak fits a card.
struct GpuFit
{
    std::string gpu;
    Bytes capacity = 0; ///< the least that PyTorch reports of such a card
    bool fits = false; ///< expected ≤ capacity
    Bytes headroom = 0; ///< capacity − expected; below 0 where it does not fit
    bool isTight = false; ///< fits, and leaves less than what is left out of the budget likely needs
};

/// Cards by name, whatever the case, blanks and dashes: "a100" is every A100, "A100 80" that one, as is the
/// driver's "NVIDIA A100-SXM4-80GB"; a size
/// ("24GiB") is a card of that capacity. All known cards where no name is given. Fails with BadRequest and
/// the names there are.
Result<std::vector<GpuModel>> chooseGpus(const std::vector<std::string>& names);

/// In the cards' order. `leftOut`: what lies outside of PyTorch and is not in the expected bytes.
std::vector<GpuFit> fitGpus(Bytes expected, const std::vector<GpuModel>& cards, Bytes leftOut);

} // namespace highwater
