#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/ranks/run_ranks.h"

namespace highwater::cli {

/// Returns the document of `ranks --json` without the diagnosis; with `withMap`, it has "map", the peak of
/// each rank in each range of steps.
nlohmann::ordered_json runRanksJson(const RunRanks& run, bool withMap);

/// Returns the document of `summarize --json` about the summary that was written to `path` in so many bytes.
nlohmann::ordered_json summaryJson(const std::string& path, const RankSummary& summary, std::size_t bytes);

} // namespace highwater::cli
