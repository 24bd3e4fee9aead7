#pragma once

#include <vector>

#include "core/study/run_study.h"

namespace highwater {

/// Returns the finding whose action to take first: the one that the diagnosis names, else the failure, else
/// the worst fault. A finding that refers to another one (`Remedy::from`) gives that one. Null if none of
/// them has an action.
const Finding* firstToAct(const RunStudy& run);

/// Returns the faults of grade A or B with an action of their own, without failures; the one that saves most
/// comes first. O(findings × log findings).
std::vector<const Finding*> faultsToFix(const RunStudy& run);

/// Returns the largest fault of the earlier run that the later one still has, although its findings do not
/// report it, because its peak would not fall without it (`FaultFate::OffPeak`). Null if there is none.
/// Costs as much as `fateOf` for each fault.
const Finding* faultStillThere(const RunStudy& before, const RunStudy& after);

} // namespace highwater
