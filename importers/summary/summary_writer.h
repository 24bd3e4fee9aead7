#pragma once

#include <string>

#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Returns the summary as the bytes of a .hws file (summary_format.h).
std::string summaryFileBytes(const RankSummary& summary);

} // namespace highwater
