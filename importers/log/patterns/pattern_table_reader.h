#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// Returns the table that is compiled into the program. Parses it once.
const PatternTable& builtInPatterns();

/// Returns the built-in table combined with the user's entries: JSON of the same structure. An entry replaces
/// the built-in one with its id, or removes it with `"disabled": true`. All other entries, including rules
/// for keys, precede the built-in ones. Leaves out an entry that is invalid, or whose expression takes longer
/// than 200 µs on a line of 4 KiB, and adds a sentence about it to `refused`. Fails with Malformed if
/// `userJson` is not a JSON object.
Result<PatternTable> patternsWith(std::string_view userJson, std::vector<std::string>& refused);

} // namespace highwater::logs
