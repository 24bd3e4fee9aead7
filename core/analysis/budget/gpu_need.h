#pragma once

#include <string>
#include <vector>

#include "core/analysis/budget/budget_study.h"

namespace highwater {

/// A sum that a GPU must hold.
struct GpuNeed
{
    std::string name; ///< "at least", "as it ran", "estimate"
    Bytes bytes = 0; ///< with the memory outside PyTorch
    std::string parts; ///< "22.62 GiB in use + 48 MiB requested + 723 MiB typical CUDA context"

    /// Returns "At least 23.37 GiB: 22.62 GiB in use + …".
    std::string text() const;
};

/// Returns what all GPUs of the study are compared with: the least that the observed run needs and, if more
/// was reserved, what it had as it ran; last the estimate, if there is one. Empty without GPUs.
std::vector<GpuNeed> gpuNeeds(const BudgetStudy& study);

} // namespace highwater
