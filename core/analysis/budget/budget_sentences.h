#pragma once

#include <string>
#include <vector>

#include "core/analysis/budget/gpu_fit.h"
#include "core/analysis/budget/observed_budget.h"
#include "core/analysis/budget/stated_figures.h"

namespace highwater {

/// Describes the result of a budget in sentences with figures and units: the sum, the GPUs, how far the
/// observed peak is from the sum and on which lines, and how stated figures compare. `observed` may be null.
std::vector<std::string> budgetSentences(const Budget& budget, const ObservedBudget* observed,
    const std::vector<GpuFit>& fits, const StatedFigures& stated);

/// Returns a sentence on each of up to three GPUs, else one on the smallest GPU that fits. If `observed` is
/// null, the expected bytes are compared. A run that leaked or ran out of memory has `failedRunSentences`,
/// or a sentence on each of two or three GPUs and the cause. What a part of a run shows to fit, fits only for
/// this part: "up to the cut, the run fits L4 with at most 3.18 GiB left".
std::vector<std::string> fitSentences(
    const Budget& budget, const ObservedBudget* observed, const std::vector<GpuFit>& fits);

/// Returns the one of more than three GPUs that `fitSentences` names; null if there are not so many, or if it
/// names none.
const GpuFit* leadingFit(const ObservedBudget* observed, const std::vector<GpuFit>& fits);

/// Returns for a run that leaked or ran out of memory by how much it did not fit, what the estimate leaves,
/// and the cause of the difference: for the largest GPU that is too small, else for the first of up to three.
/// If more than three GPUs are all large enough, names only the failure and the cause. `fits` must not be
/// empty.
std::vector<std::string> failedRunSentences(
    const Budget& budget, const ObservedBudget& observed, const std::vector<GpuFit>& fits);

/// Returns the line that `failedRunSentences` names as the cause; null if it names another cause or none, or
/// if the run did not fail.
const BudgetLine* lineOfFailure(const Budget& budget, const ObservedBudget& observed);

/// Returns the memory outside PyTorch that the expected bytes leave out: a usual CUDA context, or 0 if the
/// configuration gives that memory.
Bytes leftOutOutsideBytes(const Budget& budget);
/// Returns what the expected bytes leave of a GPU's capacity, in the same sum as `GpuFit::headroom`.
Bytes estimateHeadroom(const Budget& budget, const GpuFit& fit);

/// Formats a ratio: "35.4×"; with up to two decimals below 10, without trailing zeros.
std::string formatRatio(double ratio);

} // namespace highwater
