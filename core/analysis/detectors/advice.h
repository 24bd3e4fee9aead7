#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Removes advice that repeats other advice or hardly helps, and moves advice to the failure that it would
/// have prevented. All findings of a device must be present, with `Finding::mergedInto` set. O(findings²).
///
/// - A request for which too little was free refers to the fault about kept memory that saves most, if this
///   saves at least the missing bytes (`Remedy::from`). Its own advice would name tensors that the run needs.
/// - A request that was too big and refers to no fault takes the advice of the first fact, of grade A or B,
///   that frees the missing bytes.
/// - Settings advice is removed if a failure recommends the same setting.
/// - A fact of a run that had memory to spare gives no advice with a small saving, and no fact gives advice
///   with a saving below 1% of the peak.
void settleAdvice(const DetectorInput& input, std::vector<Finding>& findings);

} // namespace highwater
