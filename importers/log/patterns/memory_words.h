#pragma once

#include <string_view>

#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// Returns what the words say about a figure, or null if they are not about memory. If `lineTellsMemory`, the
/// rest of the line is about memory, so that words such as "peak" and "free" are enough.
const MemoryMeaning* meaningOf(const MemoryWords& words, std::string_view phrase, bool lineTellsMemory);

} // namespace highwater::logs
