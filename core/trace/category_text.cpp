#include "core/trace/category_text.h"

#include <algorithm>

namespace highwater {

bool hasRecordedCategories(const Trace& trace)
{
    return !trace.events.category.empty()
        || std::ranges::any_of(
            trace.segments.blocks, [](const Block& block) { return !block.category.isNone(); });
}

} // namespace highwater
