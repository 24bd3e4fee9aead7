#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// What all detectors find: by grade, then by bytes, largest first. O(detectors × (events + stacks)).
std::vector<Finding> findFindings(const DetectorInput& input);

} // namespace highwater
