#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Adds findings about the out-of-memory messages in the logs, except messages that rule outside-pytorch
/// reports. All messages with one cause (`readOom`) and one requested size share a finding: several ranks may
/// report a failure, and it may appear in both standard output and standard error. Adds none once `findings`
/// has 64, whoever added them; a finding cites at most 64 messages. O(log events × log requests).
void addLoggedFailures(const DetectorInput& input, std::vector<Finding>& findings);

} // namespace highwater
