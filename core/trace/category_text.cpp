#include "core/trace/category_text.h"

#include <algorithm>

namespace highwater {

bool hasRecordedCategories(const Trace& trace)
{
    return !trace.events.category.empty()
        || std::any_of(trace.segments.blocks.begin(), trace.segments.blocks.end(),
            [](const Block& block) { return !block.category.isNone(); });
}

} // namespace highwater
