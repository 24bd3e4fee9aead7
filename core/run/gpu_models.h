#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"

namespace highwater {

/// The properties of a GPU that PyTorch queries besides its memory size, and how much memory the CUDA
/// context usually takes outside PyTorch.
struct GpuProfile
{
    int major = 0; ///< Compute capability
    int minor = 0;
    int multiprocessors = 0;
    int threadsPerMultiprocessor = 0;
    int blocksPerMultiprocessor = 0;
    int sharedBytesPerMultiprocessor = 0;
    int cacheBytes = 0; ///< L2
    Bytes leastOutside = 0; ///< The least and the most that context and kernels take outside PyTorch
    Bytes mostOutside = 0;
};

/// A GPU model and its memory. The capacity that PyTorch reports ("has a total capacity of …") is less than
/// advertised and differs slightly between machines.
struct GpuModel
{
    std::string name; ///< "H100 80"
    int nominalGigabytes = 0; ///< As advertised
    Bytes leastReported = 0; ///< The least and the most capacity that PyTorch reports
    Bytes mostReported = 0;
    std::string source; ///< Short name of the source of the reported figures, and which bounds are estimated
    GpuProfile profile = {}; ///< Unknown if `multiprocessors` is 0
    std::string deviceName
        = {}; ///< As the driver names it: "NVIDIA H100 80GB HBM3"; if the list has none, "NVIDIA " + name
    bool isCommon = false; ///< Is in lists; the others are found by name only

    /// True for a part of a GPU (MIG), whose name has that of its MIG profile: "A100 1g.10gb".
    bool isSlice() const { return deviceName.find(" MIG ") != std::string::npos; }
};

/// Reads `{"cards": [{"name": …, "nominal_gb": …, "reported_gib": [least, most], "source": …}]}`;
/// `reported_mib` may replace `reported_gib`; `"device"` and `"common": true` are optional. A profile needs
/// `"capability": "8.9", "multiprocessors": …, "l2_mib": …, "outside_mib": [least, most]` and the
/// capability's entry in `"capabilities": {"8.9": {"threads": …, "blocks": …, "shared_kib": …}}`; without
/// that entry it is unknown. Returns the models smallest first, by the most memory reported. Fails with
/// Malformed and the reason.
Result<std::vector<GpuModel>> parseGpuModels(std::string_view json);

/// Returns all models of `resources/gpus.json`, smallest first; none if `parseGpuModels` refuses the file.
const std::vector<GpuModel>& gpuModels();

/// Returns the models that are rented or bought most, smallest first, for lists and for "which GPU fits".
const std::vector<GpuModel>& commonGpus();

} // namespace highwater
