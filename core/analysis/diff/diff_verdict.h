#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/run_diff.h"
#include "core/analysis/diff/size_causes.h"

namespace highwater {

/// What a comparison says, in words.
struct DiffVerdict
{
    std::string headline; ///< one sentence: whether it moved, and what made the most of that
    std::vector<std::string> details; ///< further full sentences, most important first; may be empty
};

/// Both totals are of `atPeaks` ? the runs' peaks : other moments. Less than 1 % of the total before counts
/// as not moved, and what grew is set against what shrank. Rows that read alike in few words (the stacks of
/// one line) are counted together, and rows that stand in place of others with exactly the same sizes are set
/// off against these. `causes` are of the rows of `diff`; null: nothing is said of them. Pure; O(rows × log
/// rows).
DiffVerdict diffVerdict(const RunDiff& diff, GroupKey key, bool atPeaks, const SizeCauses* causes = nullptr);

} // namespace highwater
