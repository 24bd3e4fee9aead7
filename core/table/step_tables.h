#pragma once

#include "core/analysis/composition/step_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/matching/step_alignment.h"
#include "core/analysis/usage/event_scale.h"
#include "core/table/table_source.h"

/// Tables of steps.
namespace highwater {

/// The input for a table of steps. Everything that it refers to must outlive the table's source.
struct StepTableInput
{
    const StepTable& steps;
    const EventScale* time = nullptr; ///< Null omits the durations
    const LiveIndex* live = nullptr; ///< Null omits the call site with the most bytes
    const CallSites* sites = nullptr; ///< Required with `live`
    std::vector<CategoryBytes> categories = {}; ///< Bytes at each step's peak; empty omits the columns
};

/// Returns one row per step.
TableSource stepTable(StepTableInput input);
/// Returns all steps if there are at most `most` + a quarter. Otherwise returns the first `most` / 2 steps
/// and those with the highest peaks, `most` in all, and a note on the steps left out.
Table mainSteps(const TableSource& steps, std::size_t most);

/// Returns one row per forward-backward pair, for steps with several; no rows if no step has several.
Table microStepTable(const StepTable& steps);

/// Returns the peaks of paired steps; rows are left out as in `mainSteps`.
Table stepPairTable(
    const StepTable& before, const StepTable& after, const AlignedSteps& aligned, std::size_t most);

} // namespace highwater
