#pragma once

#include "app/loading/run/run_request.h"

namespace highwater {

/// Reads the files of a report: the main file of a run is the one with allocations and the largest peak (if
/// there are only logs, the one with most memory figures), similar files are its ranks, and the others are
/// auxiliary files. Of ranks other than the main file only figures and the import log are kept. Two runs are
/// studied in a quantity that both have; the findings of each are computed here too, in parallel,
/// unless the options say otherwise.
///
/// A file that cannot be read is reported in the run's sources. Fails with the first file's error if no file
/// of a run can be read, with BadRequest if the device does not exist or nothing can be shown, and as the
/// configuration does. `before` may be null. O(bytes).
tl::expected<Runs, RunError> readRuns(
    const RunRequest& files, const RunRequest* before, const RunReadOptions& options);

} // namespace highwater
