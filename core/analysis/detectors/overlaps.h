#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Sets `Finding::mergedInto` of each finding that another one explains: the two share at least half of the
/// finding's evidence blocks (by bytes), and the other one's rule is nearer to the cause. A fault is
/// explained only by a fault, and a finding of grade C explains only findings of grade C. Settings advice is
/// merged into a fault whose rule it may cure. O(findings² × blocks).
void nameWhatExplains(const DeviceStudy& study, std::vector<Finding>& findings);

} // namespace highwater
