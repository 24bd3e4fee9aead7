#pragma once

#include "core/analysis/ranks/rank_table.h"
#include "core/table/table.h"

namespace highwater {

/// Returns one row for each of `RankTable::rows`: a device of a file, or a file without a device, such as a
/// log. The rank of a file is "unknown" unless its content or its path gives it.
Table rankTable(const RankTable& ranks);

} // namespace highwater
