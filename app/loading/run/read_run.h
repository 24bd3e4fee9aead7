#pragma once

#include "app/loading/run/run_request.h"

namespace highwater {

/// Reads the files of one run, or of two runs in parallel. `chooseMain` chooses the main file
/// of a run, and of two runs the same rank if both have it; other recordings are its ranks, and logs and
/// series are auxiliary files. The events of other ranks are not kept. Two runs are studied in a quantity
/// that both have (`commonQuantity`); if there is none, each in its own. The findings of each run are
/// computed here too, unless the options say otherwise.
///
/// A file that cannot be read is reported in the run's sources. Fails if no file of a run can be read (with
/// the first error), if the device does not exist or nothing can be shown, for an error in the configuration,
/// and with Cancelled. `before` may be null. O(bytes).
tl::expected<Runs, RunError> readRuns(
    const RunRequest& files, const RunRequest* before, const RunReadOptions& options);

} // namespace highwater
