#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Adds a finding for each failed request that the out-of-memory messages of the logs report, with its cause
/// (`readOom`), except those that rule outside-pytorch reports. Messages about one request share a finding:
/// several ranks may report the failure, and it may appear in both standard output and standard error. At
/// most 64 findings. O(log events × log requests).
void addLoggedFailures(const DetectorInput& input, std::vector<Finding>& findings);

} // namespace highwater
