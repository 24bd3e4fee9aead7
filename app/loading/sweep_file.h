#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/analysis/sweep/run_sweep.h"

namespace highwater {

/// Reads a file, keeps the figures of the device with the largest peak and gives the rest up again.
/// `quantity`: what its allocations are counted in; none: as the file has them. Fails where it cannot be read
/// and, with BadRequest, where it holds no memory events. O(file).
Result<SweepRun> readSweepRun(const std::string& path, const LoadOptions& options,
    const std::vector<CategoryRule>& rules, std::optional<Quantity> quantity);

} // namespace highwater
