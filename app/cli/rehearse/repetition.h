#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "app/cli/rehearse/outcome.h"
#include "app/rehearse/rehearsal.h"

namespace highwater::cli {

/// Runs the command of a rehearsal again, without output and with other values than 0 where a value is read
/// back for which there is no rule, and compares the allocations. `request` is that of the first run, which
/// took `duration`. A large number has effects that a small one does not, such as on a size that is rounded
/// up or has a lower bound; if the script fails with it, for example as an index, the number is 1. If the
/// allocations differ, a third run with the first run's values shows whether the values are the cause: a
/// script may also find files that it wrote before. Returns nullopt if the command cannot be started or was
/// interrupted.
std::optional<SecondRun> repeat(rehearse::RehearsalRequest request, const RehearsalOutcome& first,
    std::chrono::seconds duration, const CommonOptions& options);

} // namespace highwater::cli
