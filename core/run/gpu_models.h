#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"

namespace highwater {

/// A model of card and how much memory it has. What PyTorch reports ("has a total capacity of …") is less
/// than the name promises, and differs a little from machine to machine.
struct GpuModel
{
    std::string name; ///< "H100 80"
    int nominalGigabytes = 0; ///< as it is sold
    Bytes leastReported = 0;
    Bytes mostReported = 0;
    std::string source; ///< in a word, where the reported figures come from
};

/// Reads `{"cards": [{"name": …, "nominal_gb": …, "reported_gib": [least, most], "source": …}]}`; in place of
/// `reported_gib`, `reported_mib`. Fails with Malformed and what is wrong.
Result<std::vector<GpuModel>> parseGpuModels(std::string_view json);

/// Those of `resources/gpus.json`, smallest first.
const std::vector<GpuModel>& gpuModels();

} // namespace highwater
