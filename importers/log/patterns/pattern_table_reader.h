#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// The table that is compiled into the program. Parsed once.
const PatternTable& builtInPatterns();

/// The built-in table with a user's own entries: JSON of the same shape. An entry replaces the one with its
/// id, or with `"disabled": true` removes it; others precede the built-in ones, as do rules for keys. An
/// invalid entry is left out and described in `refused`, one sentence each; so are expressions that take
/// longer than 200 µs for a line of 4 KiB.
Result<PatternTable> patternsWith(std::string_view userJson, std::vector<std::string>& refused);

} // namespace highwater::logs
