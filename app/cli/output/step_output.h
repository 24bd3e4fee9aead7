#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/allocations.h"

namespace highwater::cli {

/// Returns the "steps" array of `peaks`; times are in microseconds since the epoch, null if the file has
/// none.
nlohmann::ordered_json stepsJson(
    const Trace& trace, const AllocationTable& allocations, const StepTable& table);

/// Returns entries in the form of an import log: why there is only one step, if no steps were found.
nlohmann::ordered_json stepLogJson(const StepTable& table);

/// Prints one line: how many steps there are, and how they were found.
void printStepCount(const StepTable& table);
/// Prints the same with a table of the steps: all of them, or the first and those with the highest peaks.
void printSteps(const Trace& trace, const AllocationTable& allocations, const StepTable& table);
/// Prints the forward-backward pairs of the steps.
void printMicroSteps(const StepTable& table);

} // namespace highwater::cli
