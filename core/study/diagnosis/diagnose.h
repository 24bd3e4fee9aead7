#pragma once

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// Diagnoses a run. `RunStudy::diagnosis` does this once. O(findings + log messages + points of series).
Diagnosis diagnose(const DiagnosedRun& run);

/// Returns the order in which to read the findings, as indices into `findings`: the one that the diagnosis
/// names, then faults, then facts.
std::vector<std::size_t> readingOrder(const std::vector<Finding>& findings, const Diagnosis& diagnosis);

} // namespace highwater
