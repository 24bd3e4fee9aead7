#pragma once

#include <string_view>

#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// Returns the meaning of a figure that a phrase describes, or null if the phrase is not about memory. Set
/// `lineIsAboutMemory` if the rest of the line is about memory; words such as "peak" and "free" are then
/// enough.
const MemoryMeaning* findMeaning(const MemoryWords& words, std::string_view phrase, bool lineIsAboutMemory);

} // namespace highwater::logs
