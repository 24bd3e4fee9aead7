#pragma once

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// Diagnoses a run. Front ends call `RunStudy::diagnosis`, which stores the result. O(findings + log messages
/// + points of series).
Diagnosis diagnose(const DiagnosedRun& run);

/// Returns the order in which to read the findings, as indices into `findings`: first the finding that the
/// diagnosis names, then faults, then facts. O(n log n).
std::vector<std::size_t> readingOrder(const std::vector<Finding>& findings, const Diagnosis& diagnosis);

} // namespace highwater
