#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Sets `Finding::mergedInto` of each finding that another finding explains. A finding is explained if the
/// rule of the other one is nearer to the cause (`Rule::causeOrder`) and the other one has at least half of
/// the bytes of its evidence blocks. Settings advice that is a fault is merged into a fault that a setting
/// may cure.
///
/// A fault is explained only by a fault, and a finding of grade C explains only findings of grade C.
/// O(findings × rules × (findings + n × log n)) for n evidence blocks of a finding.
void markExplainedFindings(const DeviceStudy& study, std::vector<Finding>& findings);

} // namespace highwater
