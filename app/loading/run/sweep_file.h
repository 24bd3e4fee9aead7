#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/sweep/run_sweep.h"
#include "importers/importer.h"

namespace highwater {

/// Keeps only the figures of the device with the largest peak of a file that was read. `quantity`: the one in
/// which its allocations are counted; none: the file's own. Fails as reading did and, with BadRequest, if
/// there are no memory events. O(events).
Result<SweepRun> sweepRun(const std::string& path, const Result<ImportedTrace>& file,
    const std::vector<CategoryRule>& rules, std::optional<Quantity> quantity);

} // namespace highwater
