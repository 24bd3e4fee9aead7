#pragma once

#include "core/trace/trace.h"

namespace highwater {

/// Whether the trace has a recorder's category for any event or block. O(blocks).
bool hasRecordedCategories(const Trace& trace);

} // namespace highwater
