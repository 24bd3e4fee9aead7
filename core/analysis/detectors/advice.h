#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Makes the advice of a run's findings one answer, in which no two findings advise the same. All findings
/// of a device must be present, with `Finding::mergedInto` set. O(findings²).
///
/// - A request for which too little was free refers to the fault about kept memory that saves most, if this
///   saves at least the missing bytes (`Remedy::from`). Its own advice would name tensors that the run needs.
/// - Settings advice is removed if a failure recommends the same setting.
/// - Findings about the peak leave the advice to a fault about kept memory that lowers it.
/// - A fact of a run that had memory to spare gives no advice that saves little, and no fact gives advice
/// that
///   saves less than 1% of the peak.
void settleAdvice(const DetectorInput& input, std::vector<Finding>& findings);

} // namespace highwater
