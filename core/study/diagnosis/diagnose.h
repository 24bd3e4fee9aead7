#pragma once

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// `RunStudy::diagnosis` does this once. O(findings + log messages + points of series).
Diagnosis diagnose(const DiagnosedRun& run);

/// The findings in the order to read them in: the one that the diagnosis names comes first, then faults, then
/// facts. Indices into `findings`.
std::vector<std::size_t> readingOrder(const std::vector<Finding>& findings, const Diagnosis& diagnosis);

} // namespace highwater
