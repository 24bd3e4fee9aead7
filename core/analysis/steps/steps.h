#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// A request to find steps by a certain source. Without `source`, a pattern or markers imply a source; else
/// the best one is used.
struct StepRequest
{
    std::optional<StepSource> source; ///< only this source; Whole if it finds nothing
    std::string pattern; ///< RE2 pattern; annotations whose name matches it begin a step (source Ranges)
    std::vector<std::int64_t> markers; ///< first events of steps, ascending (source Manual)

    bool operator==(const StepRequest&) const = default;
};

/// Finds the steps of a device. resources/manual/command-line.md, "peaks", defines where steps begin and end.
/// O(events + spans) for all sources but Periodicity, which is O(events × log events).
StepTable findSteps(const Trace& trace, const AllocationTable& allocations, const UsageCurve& curve,
    const PhaseTable& phases, const StepRequest& request = {});

/// Returns the sources that find steps in this trace without a request, best first. Costs as much as
/// `findSteps` with all of them.
std::vector<StepSource> usableStepSources(const Trace& trace, const AllocationTable& allocations,
    const UsageCurve& curve, const PhaseTable& phases);

} // namespace highwater
