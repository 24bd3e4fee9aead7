#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Frame of what a summary tells by category alone.
inline constexpr std::string_view kKnownByCategory = "(in the summary by category only)";

/// A trace with the same curve at the summary's moments: the allocations that were live at the peak, and
/// layers for everything else, so that every category is exact at every moment and no total between two
/// moments exceeds both. Steps and findings are the recording's (`SummaryNotes`), events are numbered anew.
/// `summary` must have been checked (`firstSummaryProblem`). Fails with Malformed.
Result<std::shared_ptr<const Trace>> traceOfSummary(const RankSummary& summary);

} // namespace highwater
