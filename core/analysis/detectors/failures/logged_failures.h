#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Adds findings about the causes that the out-of-memory messages of the logs give. Failures of one request
/// share a finding: several ranks report it together, and standard output and standard error repeat it.
void addLoggedFailures(const DetectorInput& input, std::vector<Finding>& all);

} // namespace highwater
