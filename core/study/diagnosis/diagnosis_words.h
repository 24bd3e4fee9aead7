#pragma once

#include "core/study/diagnosis/diagnosis.h"
#include "core/study/diagnosis/leading_failure.h"

namespace highwater {

/// Sets `sentence`, `detail` and `next` of a diagnosis. All other fields must be set.
void wordDiagnosis(const DiagnosedRun& run, const LeadingFailure& leading, Diagnosis& diagnosis);

} // namespace highwater
