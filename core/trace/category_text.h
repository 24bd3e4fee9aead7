#pragma once

#include "core/trace/trace.h"

namespace highwater {

/// True if the recorder gave any event or block a category. O(blocks).
bool hasRecordedCategories(const Trace& trace);

} // namespace highwater
