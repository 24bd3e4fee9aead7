#pragma once

#include "app/loading/run/run_request.h"

namespace highwater {

/// Reads the files of one run, or of two runs in parallel, for a report. `chooseMain` chooses the main file
/// of a run; other recordings are its ranks, and logs and series are auxiliary files. Of other ranks only
/// figures and the import log are kept. Two runs are studied in a quantity that both record. The findings
/// of each run are computed here too, unless the options say otherwise.
///
/// A file that cannot be read is reported in the run's sources. Fails with the first file's error if no
/// file of a run can be read. Fails with BadRequest if the device does not exist or nothing can be shown.
/// An error in the configuration is returned, too. `before` may be null. O(bytes).
tl::expected<Runs, RunError> readRuns(
    const RunRequest& files, const RunRequest* before, const RunReadOptions& options);

} // namespace highwater
