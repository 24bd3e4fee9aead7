#pragma once

#include <string>

#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Describes the first impossible value in a summary: an index, event or step out of range, steps that do not
/// tile the events, a size below zero or beyond any machine. Returns an empty text if there is none. Set
/// `hasTables` if moments, stacks and allocations were read, too. O(rows).
std::string firstSummaryProblem(const RankSummary& summary, bool hasTables);

} // namespace highwater
