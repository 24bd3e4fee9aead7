#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/diff_verdict.h"
#include "core/analysis/diff/size_causes.h"

namespace highwater {

/// A comparison and what it comes to.
struct DiffFindings
{
    RunDiff diff;
    SizeCauses causes; ///< of the rows of `diff`
    DiffVerdict verdict;
    /// What probably stands in place of what, a sentence each, largest first: found among stacks, where code
    /// can be told to be near.
    std::vector<std::string> replacements;
};

/// Factors and replacements are found among stacks, whatever the rows of `diff` are, so that every view of
/// two runs tells the same. `atPeaks`: both inputs are the peaks of their runs. Costs of `diffRuns`, twice
/// unless the key is that of stacks.
DiffFindings findDiff(const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes, const std::vector<SettingChange>& settings, bool atPeaks);

} // namespace highwater
