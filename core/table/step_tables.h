#pragma once

#include "core/analysis/composition/step_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/matching/step_alignment.h"
#include "core/analysis/usage/event_scale.h"
#include "core/table/table_source.h"

/// Tables of steps.
namespace highwater {

/// What a table of steps is made of. Everything must outlive the table's source.
struct StepTableInput
{
    const StepTable& steps;
    const EventScale* time = nullptr; ///< null: without how long they took
    const LiveIndex* live = nullptr; ///< null: without what held most
    const CallSites* sites = nullptr; ///< with `live`
    std::vector<CategoryBytes> categories = {}; ///< at their peaks; empty: left out
};

/// A row for each step.
TableSource stepTable(StepTableInput input);
/// All of them where they are few more than `most`, or the first ones and those with the highest peaks; what
/// is left out is said.
Table mainSteps(const TableSource& steps, std::size_t most);

/// A row for each forward-backward pair of the steps that have several; no rows where none has.
Table microStepTable(const StepTable& steps);

/// The peaks of steps that belong together; what is left out as above.
Table stepPairTable(
    const StepTable& before, const StepTable& after, const AlignedSteps& aligned, std::size_t most);

} // namespace highwater
