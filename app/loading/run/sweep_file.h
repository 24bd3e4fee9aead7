#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/sweep/run_sweep.h"
#include "importers/importer.h"

namespace highwater {

/// Reduces a file to the figures of the device with the largest peak. `file` is the result of reading it.
/// Allocations are counted in `quantity`; nullopt selects the file's own. Fails with the error in `file`, and
/// with BadRequest if no device has memory. O(events).
Result<SweepRun> sweepRun(const std::string& path, const Result<ImportedTrace>& file,
    const std::vector<CategoryRule>& rules, std::optional<Quantity> quantity);

} // namespace highwater
