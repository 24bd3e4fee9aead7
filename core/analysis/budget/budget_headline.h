#pragma once

#include <string>

#include "core/analysis/budget/budget_study.h"

namespace highwater {

/// Returns "Observed 22.62 GiB, 11.4× the expected 1.98 GiB", and if the recording is of another GPU than the
/// configured one ", on a GPU of at least 22.85 GiB, not on L4 (22.03 GiB)"; without an observation "Expected
/// at the peak: 1.98 GiB". Without a configuration, it is the first sentence of the study. Says so if the
/// configuration gives no budget line.
std::string budgetHeadline(const BudgetStudy& study);
/// Returns "largest gap: activations, 11.36 GiB over", or that no line has a gap; without an observation the
/// range of the estimate, without a configuration the sentences after the headline. Empty if the
/// configuration gives no budget line.
std::string budgetSubline(const BudgetStudy& study);
/// Returns all that follows the headline, most important first: `failedRunSentences` for a run that leaked or
/// ran out of memory, and the subline unless these explain its gap.
std::string budgetVerdict(const BudgetStudy& study);

} // namespace highwater
