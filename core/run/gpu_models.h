#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"

namespace highwater {

/// A GPU model and its memory. The capacity that PyTorch reports ("has a total capacity of …") is less than
/// the name promises, and differs slightly between machines.
struct GpuModel
{
    std::string name; ///< "H100 80"
    int nominalGigabytes = 0; ///< as advertised
    Bytes leastReported = 0;
    Bytes mostReported = 0;
    std::string source; ///< short name of the source of the reported figures
};

/// Reads `{"cards": [{"name": …, "nominal_gb": …, "reported_gib": [least, most], "source": …}]}`;
/// `reported_mib` may replace `reported_gib`. Fails with Malformed and the reason.
Result<std::vector<GpuModel>> parseGpuModels(std::string_view json);

/// Those of `resources/gpus.json`, smallest first.
const std::vector<GpuModel>& gpuModels();

} // namespace highwater
