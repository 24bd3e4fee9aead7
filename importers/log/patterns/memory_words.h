#pragma once

#include <string_view>

#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// What words say about a figure; null: they do not speak of memory. `lineTellsMemory`: the rest of the line
/// does, so that words such as "peak" and "free" are enough.
const MemoryMeaning* meaningOf(const MemoryWords& words, std::string_view phrase, bool lineTellsMemory);

} // namespace highwater::logs
