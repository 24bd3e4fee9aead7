#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "app/cli/rehearse/outcome.h"
#include "app/rehearse/rehearsal.h"

namespace highwater::cli {

/// Repeats a rehearsal to find out whether the values that its command reads back matter, and compares the
/// allocations. `request` is the request of the first run, which took `duration`; a run that takes far longer
/// is stopped. Values without a rule are 1000 instead of 0. If the command then fails for another reason than
/// memory or time, such as an index, it runs again with 1. If the first run succeeded and the allocations
/// differ, a further run with its values shows whether the values are the reason. Returns nullopt if the
/// command cannot be rehearsed again or was interrupted before it ended once more.
std::optional<SecondRun> repeat(rehearse::RehearsalRequest request, const RehearsalOutcome& first,
    std::chrono::seconds duration, const CommonOptions& options);

} // namespace highwater::cli
