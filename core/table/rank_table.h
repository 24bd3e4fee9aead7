#pragma once

#include "core/analysis/ranks/rank_table.h"
#include "core/table/table.h"

namespace highwater {

/// The ranks of a run with a row for each of `RankTable::rows`: a device that is compared, or a file without
/// figures.
Table rankTable(const RankTable& ranks);

} // namespace highwater
