#pragma once

#include <string>
#include <vector>

#include "core/analysis/sweep/run_sweep.h"

namespace highwater::cli {

/// `{"quantity", "inferred", "runs": […], "settings": […]}` on standard output (runs in the order of `rows`).
void printSweepJson(const RunSweep& sweep, const std::vector<std::size_t>& rows);

/// For people: one row a run with its curve in block characters, the categories at the peaks, the settings.
void printSweep(const RunSweep& sweep, const std::vector<std::size_t>& rows);

} // namespace highwater::cli
