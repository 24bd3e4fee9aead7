#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Name of the frame for memory that the summary describes only by category.
inline constexpr std::string_view kCategoryOnlyFrame = "(in the summary by category only)";

/// Builds a trace with the same curve at the summary's moments: the allocations that were live at the peak,
/// and layers for everything else. Every category is exact at every moment, and no total between two moments
/// exceeds both. Steps and findings are those of the recording (`SummaryNotes`), but their events get the
/// numbers of the trace. `summary` must have been checked (`firstSummaryProblem`). Fails with Malformed if
/// the allocations exceed the curve.
Result<std::shared_ptr<const Trace>> buildSummaryTrace(const RankSummary& summary);

} // namespace highwater
