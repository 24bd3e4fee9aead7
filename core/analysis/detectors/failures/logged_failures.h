#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// What the out-of-memory messages of one log tell of their causes, one finding for failures of one request,
/// as ranks have them together. Added to `all`.
void addLoggedFailures(const DetectorInput& input, std::size_t companion, std::vector<Finding>& all);

} // namespace highwater
