#pragma once

#include "core/study/diagnosis/diagnosis.h"
#include "core/study/diagnosis/leading_failure.h"

namespace highwater {

/// Sets the texts of a diagnosis: `sentence`, `detail`, `cause`, `next` and `unjudged`. All other fields must
/// be set.
void wordDiagnosis(const DiagnosedRun& run, const LeadingFailure& leading, Diagnosis& diagnosis);

} // namespace highwater
