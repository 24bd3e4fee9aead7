#pragma once

#include <string>

#include "core/study/diagnosis/diagnosis.h"
#include "core/study/diagnosis/leading_failure.h"

namespace highwater {

/// Sets the sentence, the detail and the next action of a diagnosis whose other fields are set.
void wordDiagnosis(const DiagnosedRun& run, const LeadingFailure& leading, Diagnosis& diagnosis);

} // namespace highwater
