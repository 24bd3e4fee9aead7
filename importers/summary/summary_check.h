#pragma once

#include <string>

#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Names the first part of a summary that has an impossible value, such as "its steps"; empty if there is
/// none. Set `hasTables` if moments, stacks and allocations were read, too. O(rows).
std::string firstSummaryProblem(const RankSummary& summary, bool hasTables);

} // namespace highwater
