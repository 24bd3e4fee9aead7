#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// All complete steps of a run laid over each other: the usual course of memory within a step, and the steps
/// that differ from it. The columns divide the events of each step evenly; a column has the step's largest
/// total there minus the bytes at its start, else a leak would be most of what is seen. It may be negative.
struct FoldedSteps
{
    /// A step whose peak differs from the median peak by more than three median absolute deviations, and by
    /// more than 1% of the median, since in many runs most steps are exactly alike.
    struct Outlier
    {
        std::size_t step = 0; ///< index into StepTable::steps
        Bytes peakBytes = 0;
        std::vector<Bytes> columns;
    };

    static constexpr std::size_t kColumns = 100;
    static constexpr std::size_t kFewestSteps = 8;
    static constexpr std::size_t kMaxOutliers = 5;

    std::size_t steps = 0; ///< number of steps, including the outliers
    Bytes medianPeak = 0;
    // By column, over all steps.
    std::vector<Bytes> lower; ///< 10% of the steps are lower
    std::vector<Bytes> median;
    std::vector<Bytes> upper; ///< 10% of the steps are higher
    std::vector<Outlier> outliers; ///< the steps farthest from the median, in the order of the run
};

/// Folds the steps. Returns nothing for fewer than kFewestSteps complete steps, or if none are known.
/// O(events + steps × columns); O(steps) of memory.
std::optional<FoldedSteps> foldedSteps(const UsageCurve& curve, const StepTable& table);

} // namespace highwater
