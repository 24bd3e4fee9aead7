#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Findings of all detectors, ordered by grade, then by bytes, largest first. O(detectors × (events +
/// stacks)).
std::vector<Finding> findFindings(const DetectorInput& input);

} // namespace highwater
