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
    /// Probable replacements, one sentence each, largest first. They are found among stacks, whose code
    /// positions show which code is near.
    std::vector<std::string> replacements;
};

/// Compares two moments. Factors and replacements are found among stacks, whatever the rows of `diff` are, so
/// that all views of two runs agree. `atPeaks` means that both inputs are the peaks of their runs. Costs as
/// much as `diffRuns`, twice unless the key is Stack.
DiffFindings findDiff(const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes, const std::vector<SettingChange>& settings, bool atPeaks);

} // namespace highwater
