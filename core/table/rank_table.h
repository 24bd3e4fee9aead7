#pragma once

#include "core/analysis/ranks/rank_table.h"
#include "core/table/table.h"

namespace highwater {

/// Returns the ranks of a run, one row for each of `RankTable::rows`: a compared device, or a file without
/// figures.
Table rankTable(const RankTable& ranks);

} // namespace highwater
