#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/allocations.h"

namespace highwater::cli {

/// The steps as the "steps" array of `peaks`; times in microseconds since the epoch, null where the file has
/// none.
nlohmann::ordered_json stepsJson(
    const Trace& trace, const AllocationTable& allocations, const StepTable& table);

/// Entries in the form of an import log: why there is only one step, if no steps were found.
nlohmann::ordered_json stepLogJson(const StepTable& table);

/// A table for people: all steps where there are few, else the first ones and the largest, and a line that
/// One line: how many steps there are, and how they were found.
void printStepCount(const StepTable& table);
/// The same with a table of the steps: all, or the first and those with the highest peaks.
void printSteps(const Trace& trace, const AllocationTable& allocations, const StepTable& table);
/// The forward-backward pairs of the steps.
void printMicroSteps(const StepTable& table);

} // namespace highwater::cli
