#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "app/cli/rehearse/outcome.h"
#include "app/rehearse/rehearsal.h"

namespace highwater::cli {

/// Runs the command of a rehearsal again, in silence, with other values than 0 for what is read back and no
/// rule knows, and compares what it allocates. `request` is the first run's, which took `duration`. A large
/// number shows what a small one does not, a size that is rounded up or has a lower bound; where a script
/// cannot do with it, as an index, it gets a small one. Where something differs, a run with the same values
/// as the first tells whether that comes of values: a script may find files that it wrote before. Nothing
/// where it cannot be started, or was interrupted.
std::optional<SecondRun> repeat(rehearse::RehearsalRequest request, const RehearsalOutcome& first,
    std::chrono::seconds duration, const CommonOptions& options);

} // namespace highwater::cli
