#pragma once

#include "core/table/table.h"
#include "core/trace/trace.h"

namespace highwater {

/// Returns the failures in a log in order, one row each: rank, device, requested and free bytes, and the
/// line of the user's code. No rows if fewer than two ranks or devices failed. O(messages).
Table failedRankTable(const Trace& log);

} // namespace highwater
