#pragma once

#include <string>

#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// The summary as a .hws file (summary_format.h). O(rows).
std::string summaryFileBytes(const RankSummary& summary);

} // namespace highwater
