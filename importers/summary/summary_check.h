#pragma once

#include <string>

#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// What a summary that was read says and cannot be: an index, event or step out of range, steps that do not
/// tile the events, a size below zero or beyond any machine. Empty: nothing. `tables`: whether moments,
/// stacks and allocations were read, too. O(rows).
std::string firstSummaryProblem(const RankSummary& summary, bool tables);

} // namespace highwater
