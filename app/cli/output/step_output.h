#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/allocations.h"

namespace highwater::cli {

/// Returns the "steps" array of `peaks`. Times are in microseconds by the file's clock; null for events
/// without a time.
nlohmann::ordered_json stepsJson(
    const Trace& trace, const AllocationTable& allocations, const StepTable& table);

/// Returns entries in the form of an import log: if no steps were found, one entry with the reason.
nlohmann::ordered_json stepLogJson(const StepTable& table);

/// Returns "has no step 9 on GPU 0; its steps are 0 to 5 (highwater peaks --steps lists them)".
std::string noSuchStepText(std::int64_t step, const std::string& device, const StepTable& table);

/// Prints one line: how many steps there are, and how they were found.
void printStepCount(const StepTable& table);
/// Prints how many steps there are and how they were found, and a table of them. If there are many, it has
/// the first ones and those with the highest peaks (`mainSteps`).
void printSteps(const Trace& trace, const AllocationTable& allocations, const StepTable& table);
/// Prints the forward-backward pairs of the steps that have several, or a sentence if no step has several.
void printMicroSteps(const StepTable& table);

} // namespace highwater::cli
