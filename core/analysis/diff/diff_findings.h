#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/diff_verdict.h"
#include "core/analysis/diff/size_causes.h"

namespace highwater {

/// A comparison with its conclusions.
struct DiffFindings
{
    RunDiff diff;
    SizeCauses causes; ///< for the rows of `diff`
    DiffVerdict verdict;
    /// What probably replaced what, one sentence each, largest first. Found among stacks, where it is known
    /// which code is close together.
    std::vector<std::string> replacements;
};

/// Factors and replacements are found among stacks, whatever the rows of `diff` are, so that all views of two
/// runs agree. `atPeaks`: both inputs are the peaks of their runs. Costs as `diffRuns`, twice unless the key
/// is Stack.
DiffFindings findDiff(const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes, const std::vector<SettingChange>& settings, bool atPeaks);

} // namespace highwater
