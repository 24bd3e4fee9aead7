#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/allocations.h"

namespace highwater::cli {

/// Returns the "steps" array of `peaks`. Times are in microseconds since the epoch; they are null if the
/// file has no times.
nlohmann::ordered_json stepsJson(
    const Trace& trace, const AllocationTable& allocations, const StepTable& table);

/// Returns entries in the form of an import log: if no steps were found, one entry with the reason.
nlohmann::ordered_json stepLogJson(const StepTable& table);

/// Prints one line: how many steps there are, and how they were found.
void printStepCount(const StepTable& table);
/// Prints how many steps there are and how they were found, and a table of them. Of many steps, the table
/// has the first ones and those with the highest peaks.
void printSteps(const Trace& trace, const AllocationTable& allocations, const StepTable& table);
/// Prints the forward-backward pairs of the steps.
void printMicroSteps(const StepTable& table);

} // namespace highwater::cli
