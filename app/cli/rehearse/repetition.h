#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "app/cli/rehearse/outcome.h"
#include "app/rehearse/rehearsal.h"

namespace highwater::cli {

/// Repeats a rehearsal to find out whether the values that its command reads back matter, and compares the
/// allocations. `request` is the request of the first run, which took `duration`. Values without a rule are
/// 1000 instead of 0; if the command then fails, for example because of an index, it runs again with 1. If
/// the allocations differ, a further run with the values of the first run shows whether the values are the
/// reason. Returns nullopt if the command cannot be started or was interrupted.
std::optional<SecondRun> repeat(rehearse::RehearsalRequest request, const RehearsalOutcome& first,
    std::chrono::seconds duration, const CommonOptions& options);

} // namespace highwater::cli
