#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/run_diff.h"
#include "core/analysis/diff/size_causes.h"

namespace highwater {

/// The result of a comparison in words.
struct DiffVerdict
{
    std::string headline; ///< one sentence: whether the total changed, and the main cause
    std::vector<std::string> details; ///< further full sentences, most important first; may be empty
};

/// Both totals are of `atPeaks` ? the runs' peaks : other moments. Less than 1 % of the total before counts
/// as unchanged, and growth is offset against shrinkage. Rows with the same short label (the stacks of one
/// line) are counted together, and rows that replace others with exactly the same sizes are offset against
/// them. `causes` are of the rows of `diff`; null: nothing is said of them. Pure; O(rows × log rows).
DiffVerdict diffVerdict(const RunDiff& diff, GroupKey key, bool atPeaks, const SizeCauses* causes = nullptr);

} // namespace highwater
