#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/ranks/run_ranks.h"

namespace highwater::cli {

/// What `ranks --json` prints. `steps`: with the map of ranks and steps.
nlohmann::ordered_json runRanksJson(const RunRanks& run, bool steps);

/// What `summarize --json` prints: the file that was written.
nlohmann::ordered_json summaryJson(const std::string& path, const RankSummary& summary, std::size_t bytes);

} // namespace highwater::cli
