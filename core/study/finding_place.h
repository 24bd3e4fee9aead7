#pragma once

#include <optional>

#include "core/study/run_study.h"

namespace highwater {

/// Returns the line of the user's own code to look at first for a finding: the line that allocates its
/// memory, else the line that requested the first of its allocations; for a finding about the failure, and
/// for the one that the diagnosis names, else the line whose request failed, also if only a log has it.
/// nullopt if there is no such line. O(frames of a stack).
std::optional<FailurePlace> placeOf(const Finding& finding, const RunStudy& study);

} // namespace highwater
