#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/budget_sentences.h"
#include "core/analysis/budget/what_if.h"

namespace highwater {

/// The run to compute a budget for, and what to compare it with.
struct BudgetRequest
{
    RunShape run;
    std::vector<std::string> gpus; ///< names or sizes; if empty, `chosen`, the run's, or the common GPUs
    std::vector<std::string> whatIf; ///< "batch=1,2,4"; empty for no grid
    /// The GPU that a person chose for the run, in place of those of the run; `gpus` win over it.
    std::optional<GpuModel> chosen = std::nullopt;
};

/// A budget and everything it was compared with. Immutable.
struct BudgetStudy
{
    RunShape run;
    Budget budget;
    /// False if there is no configuration, so that the observed run is compared with GPUs alone; `budget` is
    /// then empty.
    bool isOfConfiguration = true;
    std::optional<ObservedBudget> observed; ///< not set if no device was observed
    std::vector<GpuModel> gpus; ///< those of the request or of the run, else the common GPUs
    bool hasNamedGpus = false; ///< `gpus` are those of the request or of the run
    /// `gpus` compared with the observed bytes, or with the expected ones if nothing was observed. Empty if
    /// the budget has no lines and nothing was observed, which would fit every GPU. A run that grows fits
    /// none, and one that ran out of memory does not fit the named GPU that it can have run on.
    std::vector<GpuFit> fits;
    /// The same comparison for `gpus` and all common GPUs, smallest first; the same as `fits` if the request
    /// lists `gpus`.
    std::vector<GpuFit> allFits;
    StatedFigures stated;
    std::optional<WhatIfGrid> whatIf;

    /// Returns the memory outside PyTorch that the expected bytes leave out.
    Bytes leftOutOutsideBytes() const { return highwater::leftOutOutsideBytes(budget); }
    std::vector<std::string> sentences() const
    {
        return isOfConfiguration ? budgetSentences(budget, observed ? &*observed : nullptr, fits, stated)
                                 : fitSentences(budget, &*observed, fits);
    }
    /// Returns the names of the named GPUs that the recording excludes as its own; empty if it can be of one
    /// of them.
    std::string otherGpus() const;
    /// Memory outside PyTorch that a GPU must have besides `NeededMemory`: the configured, else the usual
    /// CUDA context.
    Bytes outsideBytes() const { return run.outsideBytes.value_or(kUsualOutsideBytes); }
    /// Returns the GPUs of `allFits` whose answer matters, for table and picture: the named ones, the one
    /// that the sentences name, the largest that are too small, the three smallest capacities that are not,
    /// and the large ones that people rent.
    std::vector<GpuFit> nearestFits() const;
    /// Memory that a GPU must have for PyTorch and, if configured, outside of it: by the observed run, else
    /// by the expected bytes.
    Bytes neededBytes() const;
    /// True if the sentences name this one of many GPUs, or if it is one of `gpus`, and `allFits` has others.
    bool singlesOut(const std::string& gpu) const;
    /// Returns the first GPU of `allFits` that holds this many bytes and leaves room for
    /// `leftOutOutsideBytes`; empty if none does.
    std::string smallestGpu(Bytes needed) const;
};

/// Computes the budget, how much memory of each line was live at the peak of the device, the GPUs and the
/// grid. If the configuration does not give the number of parameters, it is taken from the device where that
/// shows it. `observed` may be null; `findings` and `logged` are of its device. Fails with BadRequest for
/// unknown GPUs and settings, and as `expectedBudget` does. Costs one `expectedBudget` per combination of the
/// grid, plus `observedBudget`.
Result<BudgetStudy> studyBudget(const BudgetRequest& request, const DeviceStudy* observed,
    const std::vector<Finding>& findings = {}, const LoggedGpu& logged = {});

/// Compares a recorded run without a configuration with GPUs, all that are common if none is named or
/// `chosen`. Fails with BadRequest for unknown GPUs and for a device without GPU memory. O(allocations +
/// events).
Result<BudgetStudy> judgeGpus(const std::vector<std::string>& gpus, const DeviceStudy& observed,
    const std::vector<Finding>& findings, const std::optional<GpuModel>& chosen = {},
    const LoggedGpu& logged = {});

} // namespace highwater
