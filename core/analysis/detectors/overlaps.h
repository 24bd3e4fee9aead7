#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Where at least half of the blocks (by bytes) that a finding's evidence names are those of another one of
/// the device, or both are about the same failed request: names the one that is nearer to the cause
/// (`Finding::mergedInto`). A fault is only explained by a fault, and nothing by a question. O(findings² ×
/// blocks).
void nameWhatExplains(const DeviceStudy& study, std::vector<Finding>& findings);

} // namespace highwater
