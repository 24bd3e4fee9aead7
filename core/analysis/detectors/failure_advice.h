#pragma once

#include <vector>

#include "core/analysis/detectors/finding.h"

namespace highwater {

/// Replaces the advice of requests for which too little was free by that of the fault about kept memory that
/// saves most, if it saves at least the missing bytes. Without it, the advice would name tensors that the run
/// needs. O(findings²).
void adviseByCause(std::vector<Finding>& findings);

} // namespace highwater
