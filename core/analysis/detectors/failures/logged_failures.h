#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// What the out-of-memory messages of the logs tell of their causes, one finding for failures of one request,
/// as ranks have them together, and as standard output and standard error repeat them. Added to `all`.
void addLoggedFailures(const DetectorInput& input, std::vector<Finding>& all);

} // namespace highwater
