#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/analysis/sweep/run_sweep.h"

namespace highwater {

/// Reads a file and keeps only the figures of the device with the largest peak. `quantity`: the one in which
/// its allocations are counted; none: the file's own. Fails if it cannot be read and, with BadRequest, if it
/// has no memory events. O(file).
Result<SweepRun> readSweepRun(const std::string& path, const LoadOptions& options,
    const std::vector<CategoryRule>& rules, std::optional<Quantity> quantity);

} // namespace highwater
