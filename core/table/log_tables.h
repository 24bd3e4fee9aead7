#pragma once

#include "core/table/table.h"
#include "core/trace/trace.h"

namespace highwater {

/// The failures of a log that ranks had together, the first one leading: rank, device, what was requested and
/// free, and the line of the user's code. No rows where fewer than two ranks or devices failed. O(messages).
Table failedRankTable(const Trace& log);

} // namespace highwater
