#pragma once

#include "core/table/table.h"
#include "core/trace/trace.h"

namespace highwater {

/// Returns the failures of every kind in a log in the order of `failuresOfEveryKind`, one row each: rank and
/// GPU, bytes requested, in use and free, the GPU's capacity, the line of the user's code, and the line of
/// the log. In use is the capacity without what was free. At most 4,096 rows. O(messages).
Table failureTable(const Trace& log);
/// Returns the rows of `failureTable` under another id and caption; no rows if fewer than two ranks,
/// processes or devices failed. O(messages).
Table failedRankTable(const Trace& log);

} // namespace highwater
