#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/run_diff.h"
#include "core/analysis/diff/size_causes.h"

namespace highwater {

/// The result of a comparison in words.
struct DiffVerdict
{
    std::string headline; ///< one sentence: the change of the total and its main cause
    std::vector<std::string> details; ///< further full sentences, most important first; may be empty
    std::string change; ///< the sentence with nothing but the totals and their difference; may be empty

    /// Returns the details for a place that shows the totals itself.
    std::vector<std::string> detailsWithoutChange() const;
};

/// The compared moments as a sentence names them: "step 2" and "step 9", "the peak of the earlier run". Both
/// are empty for the peaks of two runs.
struct MomentNames
{
    std::string before;
    std::string after;
    bool areOfUnequalSteps = false; ///< the verdict then takes no cause from the rows: the steps differ, too

    bool arePeaks() const { return before.empty() && after.empty(); }
};

/// Summarizes a comparison. `causes` must belong to the rows of `diff`; if null, the verdict does not mention
/// causes.
///
/// A change below 1% of the total before counts as barely moved; growth is then offset against shrinkage.
/// Rows with the same short label (the stacks of one line) are counted together, and a row that replaces
/// another with exactly the same sizes is offset against it. O(rows × log rows).
DiffVerdict diffVerdict(
    const RunDiff& diff, GroupKey key, const MomentNames& names = {}, const SizeCauses* causes = nullptr);

} // namespace highwater
