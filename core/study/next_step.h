#pragma once

#include <vector>

#include "core/study/run_study.h"

namespace highwater {

/// Returns the finding whose action to take first: the one that the diagnosis names, else the failure, else
/// the worst fault. A finding that refers to another one (`Remedy::from`) gives that one. Null if none of
/// them has an action.
const Finding* firstToAct(const RunStudy& run);

/// Returns the faults of grade A or B with an action of their own, without failures; the one that saves most
/// comes first. O(n log n).
std::vector<const Finding*> faultsToFix(const RunStudy& run);

} // namespace highwater
