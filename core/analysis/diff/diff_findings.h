#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/cut_rows.h"
#include "core/analysis/diff/diff_verdict.h"
#include "core/analysis/diff/size_causes.h"

namespace highwater {

/// A comparison of two moments with its conclusions: causes, verdict and probable replacements.
struct DiffFindings
{
    RunDiff diff;
    SizeCauses causes; ///< for the rows of `diff`
    DiffVerdict verdict;
    /// Probable replacements, one sentence each, largest first. They are found in a comparison by stacks,
    /// because only stacks show which code is near.
    std::vector<std::string> replacements;
};

/// Compares two moments. Factors and replacements are always found in a comparison by stacks, whatever `key`
/// is, so that all views of two runs agree. `names` are the moments as the verdict names them. Rows that
/// exist only because a recording is cut off (`markCutRows`) are no causes. Costs as much as `diffRuns`,
/// twice unless the key is Stack.
DiffFindings findDiff(const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes, const std::vector<SettingChange>& settings, const MomentNames& names = {},
    const SharedEnds& ends = {});

} // namespace highwater
